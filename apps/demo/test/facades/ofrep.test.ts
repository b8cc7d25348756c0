import { metrics } from "@decern/metrics";
import { ofrep } from "@decern/ofrep";
import { afterEach, describe, expect, it } from "vitest";
import { MemoryLog } from "../../../../test/support/memory-log.js";
import { silent } from "./can-access.js";
import { type FacadeHostOptions, hosts, post } from "./facade-hosts.js";
import { banner, decisions, flags, limits, newCheckout } from "./flags.js";

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const path = "/ofrep/v1/evaluate/flags";
const pro = { targetingKey: "ada", plan: "pro" };
const free = { targetingKey: "ada", plan: "free" };

describe.each(Object.entries(hosts))("OFREP over %s", (_name, start) => {
  const mount = async (options: Partial<FacadeHostOptions> = {}) => {
    const host = await start({ decisions, facades: [flags], logger: silent, ...options });
    endings.push(() => host.close());
    const all = `${host.url}${path}`;
    return {
      one: (key: string, context: unknown, headers?: Record<string, string>) =>
        post(`${all}/${key}`, { context }, headers),
      all: (context: unknown, headers?: Record<string, string>) => post(all, { context }, headers),
      send: (key: string, body: unknown, headers?: Record<string, string>) =>
        post(`${all}${key}`, body, headers),
    };
  };

  it("evaluates one flag, with the rule as its variant where the decision names none", async () => {
    const { one } = await mount();
    const reply = await one("new-checkout", pro);
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toMatch(/^application\/json\b/);
    expect(reply.body).toEqual({
      key: "new-checkout",
      value: true,
      variant: "paying",
      reason: "TARGETING_MATCH",
      metadata: { decision: "new-checkout", version: "1.2.0", rule: "paying" },
    });
    expect((await one("banner", pro)).body).toMatchObject({ value: "Hello, pro", variant: "pro" });
    expect((await one("limits", pro)).body).toMatchObject({ value: { items: 50, colours: ["red"] } });
    expect((await one("max-items", free)).body).toMatchObject({ key: "max-items", value: 10 });
  });

  it("leaves the value to the application where no rule matches", async () => {
    const { one } = await mount();
    const { status, body } = await one("new-checkout", { targetingKey: "ada", plan: "unknown" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ key: "new-checkout", reason: "UNKNOWN" });
    expect(body).not.toHaveProperty("value");
  });

  it("has the value of `noMatch` where no rule matches", async () => {
    const noMatch = { value: false, variant: "off" };
    const { one } = await mount({ facades: [ofrep({ flags: [{ decision: newCheckout, noMatch }] })] });
    expect((await one("new-checkout", { targetingKey: "ada", plan: "unknown" })).body).toEqual({
      key: "new-checkout",
      ...noMatch,
      reason: "UNKNOWN",
      metadata: { decision: "new-checkout", version: "1.2.0" },
    });
    expect((await one("new-checkout", pro)).body).toMatchObject({ value: true, variant: "paying" });
  });

  it("has the codes of OpenFeature for what goes wrong", async () => {
    const { one, send } = await mount();
    expect(await one("nothing", pro)).toMatchObject({
      status: 404,
      body: { key: "nothing", errorCode: "FLAG_NOT_FOUND" },
    });
    expect(await one("new-checkout", { plan: "pro" })).toMatchObject({
      status: 400,
      body: { key: "new-checkout", errorCode: "TARGETING_KEY_MISSING" },
    });
    expect(await one("new-checkout", { targetingKey: "ada", plan: 7 })).toMatchObject({
      status: 400,
      body: { key: "new-checkout", errorCode: "INVALID_CONTEXT" },
    });
    expect(await one("new-checkout", "ada")).toMatchObject({
      status: 400,
      body: { key: "new-checkout", errorCode: "INVALID_CONTEXT" },
    });
    expect(await send("/new-checkout", "{")).toMatchObject({
      status: 400,
      body: { key: "new-checkout", errorCode: "PARSE_ERROR" },
    });
    // A key that is longer than the routers of hosts take parameters, and one of two segments.
    for (const key of ["x".repeat(2000), "a/b", "a%2Fb"]) {
      expect(await one(key, pro)).toMatchObject({
        status: 404,
        body: { key: decodeURIComponent(key), errorCode: "FLAG_NOT_FOUND" },
      });
    }
    expect(await send("", "[]")).toMatchObject({ status: 400, body: { errorCode: "INVALID_CONTEXT" } });
    const broken = await one("new-checkout", { targetingKey: "ada", plan: "broken" });
    expect(broken).toMatchObject({
      status: 500,
      body: { key: "new-checkout", errorCode: "GENERAL", errorDetails: "Evaluation failed" },
    });
  });

  it("evaluates all flags, and tells what fails of one in its place", async () => {
    const { all } = await mount();
    const { status, body, headers } = await all({ targetingKey: "ada", plan: "broken" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      flags: [
        { key: "new-checkout", errorCode: "GENERAL" },
        { key: "banner", value: "Hello, broken" },
        { key: "limits", value: { items: 10 } },
        { key: "max-items", value: 10 },
      ],
    });
    expect(JSON.stringify(body)).not.toContain("secret");
    // A fault may pass by itself.
    expect(headers.get("etag")).toBeNull();
  });

  it("evaluates all flags of a context that is nested too deeply for an ETag", async () => {
    const { send } = await mount();
    const nested = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const { status, body, headers } = await send("", `{"context":{"targetingKey":"ada","plan":${nested}}}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      flags: [
        { key: "new-checkout", errorCode: "INVALID_CONTEXT" },
        {},
        { key: "limits", value: { items: 10 } },
        {},
      ],
    });
    expect(headers.get("etag")).toBeNull();
  });

  it("has an ETag of the context and of what the flags are", async () => {
    let allowed = true;
    const { all } = await mount({
      hooks: {
        beforeEvaluate: ({ input }) => (allowed ? undefined : { input: { ...Object(input), plan: "free" } }),
      },
    });
    const first = await all(pro);
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]+"$/);
    const same = await all(pro, { "if-none-match": etag });
    expect({ status: same.status, body: same.body, headers: same.headers.get("etag") }).toEqual({
      status: 304,
      body: undefined,
      headers: etag,
    });
    // The same flags for somebody else are not the same answer.
    const other = await all({ ...pro, targetingKey: "grace" }, { "if-none-match": etag });
    expect(other.status).toBe(200);
    expect(other.body).toEqual(first.body);
    expect(other.headers.get("etag")).not.toBe(etag);
    expect((await all(free, { "if-none-match": etag })).status).toBe(200);
    allowed = false;
    const changed = await all(pro, { "if-none-match": etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get("etag")).not.toBe(etag);
  });

  it("takes no output for a flag that OpenFeature has no type for", async () => {
    const errors: unknown[] = [];
    const { one } = await mount({
      facades: [ofrep({ flags: [{ decision: newCheckout, toFlag: () => ({ value: JSON.parse("[1]") }) }] })],
      hooks: { onError: (_context, error) => void errors.push(error) },
    });
    expect(await one("new-checkout", pro)).toMatchObject({ status: 500, body: { errorCode: "GENERAL" } });
    expect(errors).toHaveLength(1);
  });

  it("is seen by hooks, metrics and records as a call of the decision's own route is", async () => {
    const log = new MemoryLog();
    const measured = metrics({ enabled: true });
    const paths: unknown[] = [];
    const { one, all } = await mount({
      log,
      observers: [measured.observer],
      hooks: { beforeEvaluate: ({ request }) => void paths.push(request?.path) },
    });
    expect((await one("banner", pro)).headers.get("decern-record-id")).toBe("record-1");
    await all(pro);
    await one("%62anner", pro);
    await expect
      .poll(() => log.kept.map(({ decision }) => decision.id))
      .toEqual(["banner", "new-checkout", "banner", "limits", "limits", "banner"]);
    expect(paths).toEqual([`${path}/banner`, path, path, path, path, `${path}/banner`]);
    const count = (id: string) =>
      measured.collector.getCounter("engine_evaluations_total", { decision_id: id, status: "OK" });
    expect({ banner: count("banner"), limits: count("limits") }).toEqual({ banner: 3, limits: 2 });
    log.isAvailable = false;
    expect((await one("banner", pro)).status).toBe(503);
  });

  it("refuses flags of decisions that the host does not serve", async () => {
    await expect(start({ decisions: [banner], facades: [flags] })).rejects.toThrow(
      /ofrep evaluates version 1.2.0/,
    );
  });
});

it("refuses keys that repeat, and options that do not exist", () => {
  expect(() => ofrep({ flags: [banner, { decision: limits, key: "banner" }] })).toThrow(/"banner"/);
  expect(() => ofrep({ flags: [] })).toThrow(/at least one/);
  expect(() => ofrep(JSON.parse('{"flags":[{"key":"a"}],"flag":1}'))).toThrow(
    /\/flag: is unknown[\s\S]*\/flags\/0\/decision/,
  );
  const noMatch = JSON.parse("[true]");
  expect(() => ofrep({ flags: [{ decision: banner, noMatch }] })).toThrow(/\/flags\/0\/noMatch: must be/);
});
