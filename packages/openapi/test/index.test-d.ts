import type { OpenAPIFeature } from "@decern/core";
import { describe, expectTypeOf, it } from "vitest";
import {
  generateOpenAPISpec,
  generateSwaggerUIHtml,
  type OpenAPIInfo,
  type OpenAPIOptions,
  openapi,
} from "../src/index.js";

describe("types", () => {
  it("openapi returns a feature of the port", () => {
    expectTypeOf(openapi).parameter(0).toEqualTypeOf<OpenAPIOptions | undefined>();
    expectTypeOf(openapi({ info: { title: "Loans" } })).toEqualTypeOf<OpenAPIFeature>();
    // @ts-expect-error no such option
    openapi({ enable: true });
  });

  it("generateOpenAPISpec needs a title and a version", () => {
    expectTypeOf(generateOpenAPISpec).parameter(1).toEqualTypeOf<OpenAPIInfo>();
    // @ts-expect-error no version
    generateOpenAPISpec([], { title: "Loans" });
    expectTypeOf(generateOpenAPISpec).returns.toExtend<Readonly<Record<string, unknown>>>();
    expectTypeOf(generateOpenAPISpec).returns.toHaveProperty("openapi").toEqualTypeOf<"3.0.3">();
  });

  it("generateSwaggerUIHtml returns text", () => {
    expectTypeOf(generateSwaggerUIHtml).returns.toEqualTypeOf<string>();
  });
});
