import { feature } from "@decern/core/options";
import { describe, expect, it } from "vitest";
import { openapi } from "../src/index.js";
import { info, zoo } from "./support/zoo.js";

/** Options as untyped JavaScript may pass them. */
const untyped = (json: string): object => JSON.parse(json);

describe("openapi", () => {
  it("is off by default, with its default paths", () => {
    expect(openapi()).toMatchObject({
      [feature]: "openapi",
      enabled: false,
      endpoint: "/openapi.json",
      swaggerUI: false,
      swaggerEndpoint: "/swagger",
    });
  });

  it("serves the UI by default when it is on", () => {
    expect(openapi({ enabled: true }).swaggerUI).toBe(true);
    expect(openapi({ enabled: true, swaggerUI: false }).swaggerUI).toBe(false);
    expect(openapi({ enabled: false, swaggerUI: true }).swaggerUI).toBe(false);
  });

  it("accepts custom paths", () => {
    const { endpoint, swaggerEndpoint } = openapi({ endpoint: "/api/v1.json", swaggerEndpoint: "/api/ui" });
    expect({ endpoint, swaggerEndpoint }).toEqual({ endpoint: "/api/v1.json", swaggerEndpoint: "/api/ui" });
  });

  it.each(["/..", "/a/../b.json", "/./a"])(
    "refuses the path %s, which clients normalize before sending",
    (path) => {
      expect(() => openapi({ endpoint: path })).toThrow(/\/endpoint: must be a path/);
      expect(() => openapi({ swaggerEndpoint: path })).toThrow(/\/swaggerEndpoint: must be a path/);
    },
  );

  it("builds the document of a service, with its info", () => {
    const document = openapi({ enabled: true, info }).buildDocument(zoo, { metricsEndpoint: "/metrics" });
    expect(document).toMatchObject({
      openapi: "3.0.3",
      info,
      paths: { "/metrics": {}, "/decisions/loan-approval": {} },
    });
  });

  it("fills in missing fields of the info", () => {
    const of = (given: Partial<typeof info>) => openapi({ info: given }).buildDocument([], {})["info"];
    expect(of({})).toEqual({ title: "Decision service", version: "1.0.0" });
    expect(of({ description: info.description })).toEqual({
      title: "Decision service",
      version: "1.0.0",
      description: info.description,
    });
  });

  it.each([
    ['{"enable":true}', "/enable"],
    ['{"enabled":"yes"}', "/enabled"],
    ['{"swaggerUI":1}', "/swaggerUI"],
    ['{"endpoint":"openapi.json"}', "/endpoint"],
    ['{"endpoint":"/"}', "/endpoint"],
    ['{"endpoint":"/:id"}', "/endpoint"],
    ['{"swaggerEndpoint":"/a/*"}', "/swaggerEndpoint"],
    ['{"endpoint":"/same","swaggerEndpoint":"/same"}', "/swaggerEndpoint"],
    ['{"info":"Loans"}', "/info"],
    ['{"info":{"title":""}}', "/info/title"],
    ['{"info":{"version":1}}', "/info/version"],
    ['{"info":{"description":1}}', "/info/description"],
    ['{"info":{"termsOfService":"x"}}', "/info/termsOfService"],
    ['{"info":{"contact":"me"}}', "/info/contact"],
    ['{"info":{"contact":{"email":"me"}}}', "/info/contact/email"],
    ['{"info":{"contact":{"phone":"1"}}}', "/info/contact/phone"],
    ['{"info":{"contact":{"url":"me"}}}', "/info/contact/url"],
    ['{"info":{"license":{}}}', "/info/license/name"],
    ['{"info":{"license":{"name":"MIT","url":"x"}}}', "/info/license/url"],
  ])("refuses %s", (options, path) => {
    expect(() => openapi(untyped(options))).toThrow(
      expect.objectContaining({
        code: "INVALID_OPTIONS",
        problems: expect.arrayContaining([expect.objectContaining({ path })]),
      }),
    );
  });

  it("reports every problem at once", () => {
    expect(() => openapi(untyped('{"enabled":1,"endpoint":"x"}'))).toThrow(/\/enabled.*\/endpoint/s);
  });
});
