import { ofrep } from "@decern/ofrep";
import { apiKeys, createServer } from "@decern/server";
import { OFREPProvider } from "@openfeature/ofrep-provider";
import { OFREPWebProvider } from "@openfeature/ofrep-web-provider";
import { createEvaluationEvent, ErrorCode, OpenFeature as OnServers } from "@openfeature/server-sdk";
import { OpenFeature as InBrowsers, type Provider } from "@openfeature/web-sdk";
import { afterEach, describe, expect, it } from "vitest";
import { silent } from "./can-access.js";
import { hosts } from "./facade-hosts.js";
import { decisions, flagOptions, newCheckout } from "./flags.js";

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const pro = { targetingKey: "ada", plan: "pro" };
/** A flag that has a value even if no rule matches. */
const checkoutOrOff = {
  key: "checkout-or-off",
  decision: newCheckout,
  noMatch: { value: false, variant: "off" },
};
const facades = [ofrep({ flags: [...flagOptions, checkoutOrOff] })];
const options = { decisions, facades, logger: silent };

describe.each(Object.entries(hosts))("OpenFeature's own providers, with %s", (_name, start) => {
  const mount = async () => {
    const host = await start(options);
    endings.push(() => host.close());
    return host.url;
  };

  it("on servers", async () => {
    await OnServers.setProviderAndWait(new OFREPProvider({ baseUrl: await mount() }));
    endings.push(() => OnServers.clearProviders());
    const client = OnServers.getClient();
    expect(await client.getBooleanDetails("new-checkout", false, pro)).toMatchObject({
      value: true,
      variant: "paying",
      reason: "TARGETING_MATCH",
      flagMetadata: { version: "1.2.0" },
    });
    expect(await client.getStringValue("banner", "none", pro)).toBe("Hello, pro");
    expect(await client.getNumberValue("max-items", 0, pro)).toBe(50);
    expect(await client.getObjectValue("limits", {}, pro)).toEqual({ items: 50, colours: ["red"] });
    expect(await client.getBooleanDetails("nothing", true, pro)).toMatchObject({
      value: true,
      errorCode: ErrorCode.FLAG_NOT_FOUND,
    });
    expect(await client.getBooleanDetails("new-checkout", true, { plan: "pro" })).toMatchObject({
      value: true,
      errorCode: ErrorCode.TARGETING_KEY_MISSING,
    });
    expect(await client.getBooleanDetails("new-checkout", false, { ...pro, plan: "broken" })).toMatchObject({
      value: false,
      errorCode: ErrorCode.GENERAL,
    });
    // No rule matches.
    const unmatched = await client.getBooleanDetails("checkout-or-off", true, { ...pro, plan: "unknown" });
    expect(unmatched).toMatchObject({ value: false, variant: "off", reason: "UNKNOWN" });
    expect(unmatched.errorCode).toBeUndefined();
    // Without `noMatch`: this provider requires a value, as the README says. The application's default applies all the same.
    expect(await client.getBooleanDetails("new-checkout", true, { ...pro, plan: "unknown" })).toMatchObject({
      value: true,
      reason: "ERROR",
      errorCode: ErrorCode.GENERAL,
    });
  });

  it("in browsers and apps", async () => {
    const statuses: number[] = [];
    const provider = new OFREPWebProvider({
      baseUrl: await mount(),
      cacheMode: "disabled",
      fetchImplementation: async (input: string | URL | Request, init?: RequestInit) => {
        const reply = await fetch(input, init);
        statuses.push(reply.status);
        return reply;
      },
    });
    // Its types were written for compilers that let an optional property be undefined.
    await InBrowsers.setProviderAndWait(provider as unknown as Provider, pro);
    endings.push(() => InBrowsers.clearProviders());
    const client = InBrowsers.getClient();
    expect(client.getBooleanDetails("new-checkout", false)).toMatchObject({ value: true, variant: "paying" });
    expect(client.getStringValue("banner", "none")).toBe("Hello, pro");
    expect(client.getNumberValue("max-items", 0)).toBe(50);
    expect(client.getObjectValue("limits", {})).toEqual({ items: 50, colours: ["red"] });
    expect(client.getBooleanDetails("nothing", true)).toMatchObject({
      value: true,
      errorCode: "FLAG_NOT_FOUND",
    });
    // It sends the ETag that it has, of another context.
    await InBrowsers.setContext({ targetingKey: "ada", plan: "free" });
    expect(client.getBooleanValue("new-checkout", true)).toBe(false);
    await InBrowsers.setContext({ targetingKey: "ada", plan: "free" });
    expect(client.getBooleanValue("new-checkout", true)).toBe(false);
    await InBrowsers.setContext({ targetingKey: "ada", plan: "unknown" });
    const unmatched = client.getBooleanDetails("new-checkout", true);
    expect(unmatched).toMatchObject({ value: true, reason: "UNKNOWN" });
    expect(unmatched.errorCode).toBeUndefined();
    const off = client.getBooleanDetails("checkout-or-off", true);
    expect(off).toMatchObject({ value: false, variant: "off", reason: "UNKNOWN" });
    expect(off.errorCode).toBeUndefined();
    expect(statuses).toEqual([200, 200, 304, 200]);
  });
});

it("flags are events of OpenTelemetry's conventions, as OpenFeature makes them", async () => {
  const server = createServer(options);
  const baseUrl = await server.handler.listen({ port: 0, host: "127.0.0.1" });
  endings.push(
    () => server.close(),
    () => OnServers.clearProviders(),
  );
  await OnServers.setProviderAndWait(new OFREPProvider({ baseUrl }));
  const events: ReturnType<typeof createEvaluationEvent>[] = [];
  const client = OnServers.getClient().addHooks({
    finally: (context, details) => void events.push(createEvaluationEvent(context, details)),
  });
  await client.getBooleanValue("new-checkout", false, pro);
  await client.getBooleanValue("new-checkout", false, { plan: "pro" });
  expect(events).toEqual([
    {
      name: "feature_flag.evaluation",
      attributes: {
        "feature_flag.key": "new-checkout",
        "feature_flag.provider.name": expect.any(String),
        "feature_flag.result.reason": "targeting_match",
        "feature_flag.result.variant": "paying",
        "feature_flag.result.value": true,
        "feature_flag.context.id": "ada",
        "feature_flag.version": "1.2.0",
      },
    },
    {
      name: "feature_flag.evaluation",
      attributes: expect.objectContaining({
        "feature_flag.result.reason": "error",
        "error.type": "targeting_key_missing",
      }),
    },
  ]);
});

it("the provider on servers learns that it must authenticate", async () => {
  const server = createServer({ ...options, authenticate: apiKeys({ keys: ["key"] }) });
  const baseUrl = await server.handler.listen({ port: 0, host: "127.0.0.1" });
  endings.push(
    () => server.close(),
    () => OnServers.clearProviders(),
  );
  await OnServers.setProviderAndWait(new OFREPProvider({ baseUrl }));
  const refused = await OnServers.getClient().getBooleanDetails("new-checkout", false, pro);
  expect(refused).toMatchObject({ value: false, errorCode: ErrorCode.GENERAL });
  await OnServers.setProviderAndWait(new OFREPProvider({ baseUrl, headers: [["x-api-key", "key"]] }));
  expect(await OnServers.getClient().getBooleanValue("new-checkout", false, pro)).toBe(true);
});
