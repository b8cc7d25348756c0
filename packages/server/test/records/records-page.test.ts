import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MemoryLog } from "../../../../test/support/memory-log.js";
import { apiKeys, createServer } from "../../src/index.js";
import { readDocsFiles } from "../../src/pages/page-routes.js";
import { fakeMetrics } from "../support/fake-features.js";
import { quote1 } from "../support/quotes.js";

const options = {
  decisions: [quote1],
  log: new MemoryLog(),
  records: true,
  authenticate: apiKeys({ keys: ["key"] }),
  logger: false,
} as const;
const { handler: app } = createServer(options);

describe("the page of records", () => {
  it("is HTML at /records, open because a browser cannot send a key, and says nothing about records", async () => {
    const reply = await app.inject("/records");
    expect({ statusCode: reply.statusCode, contentType: reply.headers["content-type"] }).toEqual({
      statusCode: 200,
      contentType: "text/html; charset=utf-8",
    });
    expect(reply.body).not.toContain("quote");
    const policy = String(reply.headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|http|\*/);
    expect(reply.body).not.toMatch(/<style|style="|<script(?![^>]*\ssrc=)|\son\w+=/);
  });

  it("finds its files under its own path, also where there is no docs page", async () => {
    const { handler } = createServer({ ...options, docs: false });
    const { body } = await handler.inject("/records");
    const urls = [...body.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)].map(([, url]) => url ?? "");
    expect(urls.length).toBeGreaterThan(1);
    for (const url of urls) {
      expect(url).toMatch(/^records\/assets\//);
      const reply = await handler.inject(`/${url}`);
      expect({ url, statusCode: reply.statusCode }).toEqual({ url, statusCode: 200 });
      expect(reply.headers["cache-control"]).toContain("immutable");
    }
  });

  it("is at one address", async () => {
    const reply = await app.inject("/records/");
    expect({ statusCode: reply.statusCode, location: reply.headers.location }).toEqual({
      statusCode: 308,
      location: "../records",
    });
  });

  it("explains what to do if it was not built", async () => {
    const empty = await mkdtemp(join(tmpdir(), "decern-"));
    await expect(readDocsFiles("records.html", empty)).rejects.toThrow(/not built; run the build/);
  });

  it("keeps its path to itself", () => {
    const metrics = { ...fakeMetrics(), endpoint: "/records/metrics" };
    expect(() => createServer({ ...options, metrics })).toThrow("is already in use by /records");
    expect(() => createServer({ ...options, records: false, metrics })).not.toThrow();
  });
});
