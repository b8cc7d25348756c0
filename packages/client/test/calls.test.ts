import { describe, expect, it } from "vitest";
import { createClient } from "../src/index.js";
import { evaluated } from "./support/answers.js";
import type { decisions } from "./support/decisions.js";
import { serve } from "./support/service.js";

/** Nothing here is decided by time, however slow the machine is. */
const timeoutMs = Number.POSITIVE_INFINITY;

const good = { amount: 9000, score: 700 };

it.each(["localhost:3000", "example.com/api", "ftp://example.com", "", undefined])(
  "a client of %j is refused when it is made",
  (url) => {
    const options = JSON.parse(JSON.stringify({ url }));
    expect(() => createClient(options)).toThrow(TypeError);
  },
);

it.each(["http://localhost:3000", new URL("HTTPS://example.com/api/"), "/api", "/"])("takes %s", (url) => {
  expect(() => createClient({ url })).not.toThrow();
});

describe("a call", () => {
  it("returns the envelopes of a service", async () => {
    const { url } = await serve(evaluated);
    const decern = createClient<typeof decisions>({ url, timeoutMs });
    const call = decern["loan-approval"];
    expect(await call(good)).toMatchObject({ status: "OK", data: { approved: true } });
    expect(await call({ amount: 9e9, score: 700 })).toMatchObject({ status: "NO_MATCH" });
    expect(await call({ amount: Number.NaN, score: 700 })).toMatchObject({
      status: "INVALID_INPUT",
      errors: [{ path: "/amount" }],
    });
    // Profiles may come from where nothing is checked.
    const profile = JSON.parse('{"minScore":"high"}');
    expect(await call(good, { profile })).toMatchObject({ status: "INVALID_PROFILE" });
  });

  it("posts input, profile, or the name of a profile to the path of the decision", async () => {
    const { url, seen } = await serve(evaluated);
    const decern = createClient<typeof decisions>({ url, timeoutMs });
    await decern["loan-approval"](good);
    await decern["loan-approval"](good, { profile: { minScore: 800 } });
    await decern["loan-approval"](good, { profileName: "strict" });
    expect(seen.map(({ method, url, text }) => [method, url, JSON.parse(text)])).toEqual([
      ["POST", "/decisions/loan-approval", { input: good }],
      ["POST", "/decisions/loan-approval", { input: good, profile: { minScore: 800 } }],
      ["POST", "/decisions/loan-approval", { input: good, profileName: "strict" }],
    ]);
    expect(seen[0]?.headers["content-type"]).toBe("application/json");
  });

  it("pins a version, whatever characters its name has", async () => {
    const { url, seen } = await serve(evaluated);
    const decern = createClient<typeof decisions>({ url, timeoutMs });
    await decern["loan-approval"](good, { version: "1.0.0" });
    await decern["loan-approval"](good, { version: "2024/05 beta?#ü" });
    expect(seen.map(({ url }) => decodeURIComponent(url.slice(url.lastIndexOf("/") + 1)))).toEqual([
      "1.0.0",
      "2024/05 beta?#ü",
    ]);
    expect(seen[0]?.url).toBe("/decisions/loan-approval/versions/1.0.0");
  });

  it("sends the request id that it is given, and none of its own", async () => {
    const { url, seen } = await serve(evaluated);
    const decern = createClient<typeof decisions>({ url, timeoutMs });
    await decern["loan-approval"](good, { requestId: "order-17" });
    await decern["loan-approval"](good);
    expect(seen.map(({ headers }) => headers["x-request-id"])).toEqual(["order-17", undefined]);
  });

  it("sends an absent input as null, which the service validates", async () => {
    const { url } = await serve(evaluated);
    const call = createClient({ url, timeoutMs })["loan-approval"];
    expect(await call?.(undefined)).toMatchObject({ status: "INVALID_INPUT" });
  });

  it("rejects for an input that has no JSON form, and sends nothing", async () => {
    const { url, seen } = await serve(evaluated);
    const call = createClient({ url, timeoutMs })["loan-approval"];
    await expect(call?.({ amount: 1n })).rejects.toThrow(TypeError);
    expect(seen).toEqual([]);
  });
});

describe("the URL of the service", () => {
  it.each(["", "/", "/tools/decern", "/tools/decern//"])("may end with %j", async (end) => {
    const { url, seen } = await serve(evaluated);
    await createClient<typeof decisions>({ url: url + end })["loan-approval"](good);
    expect(seen[0]?.url).toBe(`${end.replace(/\/+$/, "")}/decisions/loan-approval`);
  });

  it("may be a URL object, or a path where the host has one", async () => {
    const { url, seen } = await serve(evaluated);
    await createClient<typeof decisions>({ url: new URL(url) })["loan-approval"](good);
    expect(seen[0]?.url).toBe("/decisions/loan-approval");
    const urls: string[] = [];
    const browser = createClient<typeof decisions>({
      url: "/api",
      fetch: (path, init) => {
        urls.push(path);
        return fetch(url, init);
      },
    });
    await browser["loan-approval"](good);
    expect(urls).toEqual(["/api/decisions/loan-approval"]);
  });
});

describe("headers", () => {
  it("go with every request, beside those of the call", async () => {
    const { url, seen } = await serve(evaluated);
    const headers = { "x-api-key": "s3cret", "Content-Type": "text/plain", "X-Request-Id": "all-alike" };
    const decern = createClient<typeof decisions>({ url, timeoutMs, headers });
    await decern["loan-approval"](good, { requestId: "mine" });
    expect(seen[0]?.headers).toMatchObject({
      "x-api-key": "s3cret",
      "content-type": "application/json",
      "x-request-id": "mine",
    });
  });

  it("may come from a function, which is asked each time and may be asynchronous", async () => {
    const { url, seen } = await serve(evaluated);
    let count = 0;
    const headers = async () => {
      count += 1;
      return { authorization: `Bearer ${count}` };
    };
    const decern = createClient<typeof decisions>({ url, timeoutMs, headers });
    await decern["loan-approval"](good);
    await decern["loan-approval"](good);
    expect(seen.map((one) => one.headers.authorization)).toEqual(["Bearer 1", "Bearer 2"]);
  });

  it("a function's error is the caller's own, and nothing is sent", async () => {
    const { url, seen } = await serve(evaluated);
    const error = new Error("no token");
    const decern = createClient<typeof decisions>({ url, timeoutMs, headers: () => Promise.reject(error) });
    await expect(decern["loan-approval"](good)).rejects.toBe(error);
    expect(seen).toEqual([]);
  });
});

describe("a client", () => {
  it("has one function for each decision, which works on its own", async () => {
    const { url } = await serve(evaluated);
    const decern = createClient<typeof decisions>({ url, timeoutMs });
    const { "loan-approval": approve } = decern;
    expect(approve).toBe(decern["loan-approval"]);
    expect(await approve(good)).toMatchObject({ status: "OK" });
  });

  it("sends nothing when JavaScript looks at it", async () => {
    const { url, seen } = await serve(evaluated);
    const decern = await Promise.resolve(createClient<typeof decisions>({ url, timeoutMs }));
    expect(JSON.stringify({ decern })).toBe('{"decern":{}}');
    expect(Object.prototype.toString.call(decern)).toBe("[object Object]");
    expect({ ...decern }).toEqual({});
    expect(seen).toEqual([]);
  });

  it("takes ids that every object has", async () => {
    const { url, seen } = await serve(evaluated);
    const decern = createClient({ url, timeoutMs });
    for (const id of ["constructor", "toString", "__proto__", "hasOwnProperty"]) await decern[id]?.(good);
    expect(seen.map((one) => one.url)).toEqual([
      "/decisions/constructor",
      "/decisions/toString",
      "/decisions/__proto__",
      "/decisions/hasOwnProperty",
    ]);
  });
});
