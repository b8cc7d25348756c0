import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type DecernError, defineDecision } from "@decern/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createServer } from "../../src/index.js";
import type { Body } from "../../src/pages/page-body.js";
import { readDocsFiles } from "../../src/pages/page-routes.js";
import { fakeOpenAPI } from "../support/fake-features.js";

const decision = defineDecision({
  id: "access",
  version: "1.0.0",
  description: "<script>alert(1)</script>",
  meta: { owner: "</script><img src=x onerror=alert(1)>" },
  inputSchema: z.object({ role: z.enum(["guest", "admin"]) }),
  outputSchema: z.object({ allowed: z.boolean() }),
  profileSchema: z.object({ admins: z.boolean().default(true) }),
  rules: [
    { id: "admin", when: (input) => input.role === "admin", emit: () => ({ allowed: true }) },
    { id: "else", when: () => true, emit: () => ({ allowed: false }) },
  ],
});

const { handler: app } = createServer({
  decisions: [decision],
  profiles: { access: { admins: false } },
  logger: false,
});

async function assets(): Promise<readonly string[]> {
  const { body } = await app.inject("/docs");
  return [...body.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)].map(([, url]) => url ?? "");
}

describe("the docs page", () => {
  it("is HTML at /docs, with a policy that allows nothing inline", async () => {
    const reply = await app.inject("/docs");
    expect(reply.statusCode).toBe(200);
    expect(reply.headers["content-type"]).toBe("text/html; charset=utf-8");
    const policy = String(reply.headers["content-security-policy"]).split("; ");
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "worker-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ]),
    );
    expect(policy.join()).not.toMatch(/unsafe|http|\*/);
    expect(reply.headers["x-content-type-options"]).toBe("nosniff");
    expect(reply.body).not.toMatch(/<style|style="|<script(?![^>]*\ssrc=)|\son\w+=/);
  });

  it("requests only files below its own path, and all of them exist", async () => {
    const urls = await assets();
    const files = urls.filter((url) => url !== "decisions");
    expect(files.length).toBeGreaterThanOrEqual(2);
    for (const url of files) {
      expect(url).toMatch(/^docs\/assets\//);
      const reply = await app.inject(`/${url}`);
      expect(reply.statusCode, url).toBe(200);
      expect(reply.headers["cache-control"]).toContain("immutable");
      expect(reply.headers["content-type"]).toMatch(
        url.endsWith(".css") ? /^text\/css/ : /^text\/javascript/,
      );
    }
  });

  it("redirects a trailing slash with a relative URL", async () => {
    const reply = await app.inject("/docs/");
    expect(reply.statusCode).toBe(308);
    expect(reply.headers.location).toBe("../docs");
  });

  it("stays under 100 kB compressed, under 150 with all that it may load later, and table editors under 40", async () => {
    const { html, assets } = await readDocsFiles();
    const sizeOf = (bodies: readonly Body[]) =>
      bodies.reduce((sum, { gzip }) => sum + gzip.content.length, 0) / 1000;
    const files = [...assets];
    const ofEditors = sizeOf(files.filter(([name]) => name.startsWith("draft-")).map(([, body]) => body));
    const total = sizeOf([html, ...assets.values()]) - ofEditors;
    const text = String(html.plain.content);
    const first = sizeOf([html, ...files.filter(([name]) => text.includes(name)).map(([, body]) => body)]);
    console.log(
      `The docs page weighs ${first.toFixed(1)} of ${total.toFixed(1)} kB compressed, its editor ${ofEditors.toFixed(1)} kB`,
    );
    // More than the HTML and its script.
    expect(first).toBeGreaterThan(30);
    expect(first).toBeLessThan(100);
    expect(total).toBeLessThan(150);
    expect(ofEditors).toBeGreaterThan(0);
    expect(ofEditors).toBeLessThan(40);
  });

  it("never contains decision data in its HTML", async () => {
    const { body } = await app.inject("/docs");
    // Apart from the names of its scripts, one of which is called as a decision is.
    expect(body.replaceAll(/"[^"]*assets\/[^"]*"/g, "")).not.toContain("access");
    expect(body).not.toContain("alert(1)");
  });

  it("returns 404 for an unknown file", async () => {
    for (const name of ["nothing.js", "..%2Findex.html", "..%2F..%2Fpackage.json"]) {
      const reply = await app.inject(`/docs/assets/${name}`);
      expect(reply.statusCode, name).toBe(404);
      expect(reply.json()).toMatchObject({ code: "ROUTE_NOT_FOUND" });
    }
  });

  it("explains what to do if it was not built", async () => {
    const empty = await mkdtemp(join(tmpdir(), "decern-"));
    const error: unknown = await readDocsFiles("index.html", empty).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "INTERNAL_ERROR" } satisfies Partial<DecernError>);
    expect(String(error)).toMatch(/not built; run the build/);
  });
});

describe("the data of the docs page", () => {
  it("lists decisions with only the fields that the list shows", async () => {
    const reply = await app.inject("/docs/catalogue.json");
    expect(reply.json()).toEqual({
      secured: false,
      profileOverride: true,
      live: true,
      links: {},
      decisions: [
        {
          id: "access",
          version: "1.0.0",
          description: "<script>alert(1)</script>",
          owner: "</script><img src=x onerror=alert(1)>",
          ruleIds: ["admin", "else"],
        },
      ],
    });
  });

  it("has the fields of every decision, for the search", async () => {
    const reply = await app.inject("/docs/fields.json");
    expect(reply.json()).toEqual({ access: [{ name: "role" }, { name: "allowed" }, { name: "admins" }] });
  });

  it("links to the pages that the host serves", async () => {
    const openapi = fakeOpenAPI({ endpoint: "/api.json", swaggerEndpoint: "/api/ui" });
    const { handler } = createServer({ decisions: [decision], openapi, logger: false });
    expect((await handler.inject("/docs/catalogue.json")).json().links).toEqual({
      openapi: "api.json",
      swagger: "api/ui",
    });
  });

  it("has the rules, the schemas and the default profile of a decision", async () => {
    const reply = await app.inject("/docs/decisions/access");
    expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
    const schema = await app.inject("/decisions/access/schema");
    expect(reply.json()).toMatchObject({
      ...schema.json(),
      meta: { owner: "</script><img src=x onerror=alert(1)>" },
      ruleIds: ["admin", "else"],
      defaultProfile: { admins: false },
    });
  });

  it("returns 404 for an unknown decision", async () => {
    const reply = await app.inject("/docs/decisions/nobody");
    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toEqual({ error: "Decision not found: nobody", code: "DECISION_NOT_FOUND" });
  });

  it("reports what the host allows", async () => {
    const secured = createServer({
      decisions: [decision],
      profileOverride: false,
      authenticate: () => true,
      logger: false,
    });
    const reply = await secured.handler.inject("/docs/catalogue.json");
    expect(reply.json()).toMatchObject({ secured: true, profileOverride: false });
  });

  it("requires the key if the service does, while the page itself is open", async () => {
    const secured = createServer({
      decisions: [decision],
      authenticate: (request) => request.headers["x-api-key"] === "secret",
      logger: false,
    });
    for (const url of ["/docs/catalogue.json", "/docs/fields.json", "/docs/decisions/access"]) {
      expect((await secured.handler.inject(url)).statusCode, url).toBe(401);
      const headers = { "x-api-key": "secret" };
      expect((await secured.handler.inject({ url, headers })).statusCode, url).toBe(200);
    }
    for (const url of [
      "/docs",
      ...(await assets()).filter((asset) => asset !== "decisions").map((asset) => `/${asset}`),
    ]) {
      expect((await secured.handler.inject(url)).statusCode, url).toBe(200);
    }
  });
});

describe("the service's root", () => {
  const accepting = (accept?: string) =>
    app.inject({ url: "/", headers: accept === undefined ? {} : { accept } });

  it.each([
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
    "text/html, application/json;q=0.5",
  ])("leads browsers to the docs page: %s", async (accept) => {
    const reply = await accepting(accept);
    expect({
      statusCode: reply.statusCode,
      location: reply.headers.location,
      vary: reply.headers.vary,
    }).toEqual({ statusCode: 303, location: "docs", vary: "accept" });
  });

  it.each([undefined, "*/*", "application/json", "application/json, text/html;q=0.9", "text/html;q=0"])(
    "is JSON for programs: %s",
    async (accept) => {
      const reply = await accepting(accept);
      expect({ statusCode: reply.statusCode, name: reply.json().name, vary: reply.headers.vary }).toEqual({
        statusCode: 200,
        name: "decern",
        vary: "accept",
      });
    },
  );

  it("is always JSON without a docs page", async () => {
    const { handler } = createServer({ decisions: [decision], docs: false, logger: false });
    expect((await handler.inject({ url: "/", headers: { accept: "text/html" } })).statusCode).toBe(200);
  });
});

describe("how it is sent", () => {
  it.each(["/docs", "/docs/catalogue.json", "/docs/decisions/access"])(
    "compresses %s for clients that accept gzip",
    async (url) => {
      const plain = await app.inject({ url, headers: { "accept-encoding": "gzip;q=0, br" } });
      expect(plain.headers["content-encoding"]).toBeUndefined();
      const packed = await app.inject({ url, headers: { "accept-encoding": "br, gzip" } });
      expect(packed.headers["content-encoding"]).toBe("gzip");
      expect(String(packed.headers.vary)).toContain("accept-encoding");
      expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
      expect(packed.headers.etag).not.toBe(plain.headers.etag);
    },
  );

  it.each(["/docs", "/docs/catalogue.json", "/docs/decisions/access"])(
    "returns 304 for %s to clients that have it",
    async (url) => {
      const first = await app.inject(url);
      const etag = String(first.headers.etag);
      expect(etag).toMatch(/^"[\w-]+"$/);
      const again = await app.inject({ url, headers: { "if-none-match": etag } });
      expect(again.statusCode).toBe(304);
      expect(again.body).toBe("");
      expect(again.headers["content-security-policy"]).toBe(first.headers["content-security-policy"]);
      const other = await app.inject({ url, headers: { "if-none-match": '"other"' } });
      expect(other.statusCode).toBe(200);
    },
  );
});
