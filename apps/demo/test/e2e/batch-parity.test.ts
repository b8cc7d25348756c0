import { DecernError, type Decision, defineDecision, type HookContext } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { typebox } from "@decern/schema";
import { apiKeys, createServer } from "@decern/server";
import { type TSchema, Type } from "typebox";
import { expect, it } from "vitest";
import { MemoryLog } from "../../../../test/support/memory-log.js";
import { tenantProfile } from "../../src/callers.js";
import { decisions, profiles, server, versions } from "../../src/decisions/index.js";

const open = typebox(Type.Unsafe<Record<string, unknown>>(Type.Object({})));
const faulty = (
  id: string,
  when: (input: object, profile: object) => boolean,
  output: TSchema = Type.Object({}),
) =>
  defineDecision({
    id,
    version: "1.0.0",
    inputSchema: open,
    profileSchema: open,
    outputSchema: typebox(Type.Unsafe<Record<string, unknown>>(output)),
    rules: [{ id: "only", when, emit: (input) => ({ ...input }) }],
  });

/** Decisions that fail in every way that a decision can fail. */
const faults: readonly Decision[] = [
  faulty("throws", () => {
    throw new Error("a secret of the rule");
  }),
  faulty("throws-nothing", () => {
    throw undefined;
  }),
  faulty("recurses", function again(input, profile): boolean {
    return again(input, profile);
  }),
  faulty("writes-to-input", (input) => Reflect.set(input, "more", 1)),
  faulty("writes-to-profile", (_input, profile) => {
    Object.assign(profile, { limit: 1 });
    return true;
  }),
  faulty("wrong-output", () => true, Type.Object({ missing: Type.String() })),
  faulty("no-match", () => false),
];

const odd: readonly unknown[] = [
  null,
  [],
  [[1]],
  "text",
  7,
  {},
  { refuse: true },
  { crash: true },
  { patch: 1 },
];
/** Who asks, and with which profile. */
const asked: readonly (readonly [key: string, sent: object])[] = [
  ["shop-key", {}],
  ["union-key", {}],
  ["shop-key", { profile: { limit: 3 } }],
  ["shop-key", { profile: null }],
  ["shop-key", { profileName: "strict" }],
];

function examplesOf(meta: Decision["meta"]): readonly unknown[] {
  const examples = meta?.["examples"];
  return Array.isArray(examples) ? examples : [];
}

/** Everything that others learn of the evaluations of one server. */
function makeService(profileOverride: "replace" | "merge") {
  const log = new MemoryLog();
  const told: unknown[] = [];
  const tell = (
    what: string,
    { input, profile, caller, timestamp, request, decisionId }: HookContext,
    more?: unknown,
  ) =>
    told.push(
      structuredClone({
        ...{ what, input, profile, caller, timestamp, decisionId },
        ...{ identity: request?.identity, more: more instanceof Error ? more.message : more },
      }),
    );
  const service = createServer({
    decisions: [...decisions, ...faults],
    versions,
    profiles,
    profileResolver: tenantProfile,
    callerProfiles: server.callerProfiles,
    authenticate: apiKeys({ keys: { shop: "shop-key", "credit-union": "union-key" } }),
    profileOverride,
    log,
    logger: { error: (_details, message) => void told.push({ what: "log", message }) },
    clock: { now: () => 0, monotonic: () => 0 },
    hooks: {
      beforeEvaluate: (context) => {
        tell("before", context);
        const input = isJsonObject(context.input) ? context.input : {};
        if (input["refuse"] === true) {
          throw Object.assign(new Error("Not for you"), { statusCode: 403, code: "NOT_YOURS" });
        }
        if (input["crash"] === true) throw new Error("a secret of the hook");
        if (input["patch"] === 1) return { input: { patch: 2 }, requestId: "patched" };
        return undefined;
      },
      afterEvaluate: (context, result) => void tell("after", context, result),
      onError: (context, error) => void tell("error", context, error),
    },
    observers: [
      {
        onEvaluated: ({ decision, result, error, status }) =>
          void told.push(
            structuredClone({
              what: "event",
              id: decision.id,
              result,
              error: error instanceof DecernError ? error.code : undefined,
              status,
            }),
          ),
      },
    ],
  });
  const ask = async (path: string, payload: string, key: string, type = "application/json") => {
    const headers = { "content-type": type, "x-api-key": key, "x-request-id": "same" };
    return await service.handler.inject({ method: "POST", url: `/decisions/${path}`, payload, headers });
  };
  /** What was told and recorded since the last call. Records have numbers of their own; hooks of several inputs mix. */
  const since = () => {
    const records = log.kept.splice(0).map(({ recordId: _own, ...record }) => JSON.stringify(record));
    return {
      records: records.toSorted(),
      told: told
        .splice(0)
        .map((one) => JSON.stringify(one))
        .toSorted(),
    };
  };
  return { ask, since };
}

it.each([
  ["replace", [...decisions, ...faults]],
  ["merge", decisions.slice(0, 1)],
] as const)("an input of several has what it has alone, in every respect: %s", async (override, served) => {
  const { ask, since } = makeService(override);
  for (const { id, version, meta } of served) {
    const path = `${id}/versions/${version}`;
    const inputs = [...odd, ...examplesOf(meta).map((example) => Object(example).input)];
    for (const [key, sent] of asked) {
      // Inputs share a profile that was sent, so none of their rules may write to it.
      if (id === "writes-to-profile" && "profile" in sent) continue;
      const replies = [];
      for (const input of inputs) replies.push(await ask(path, JSON.stringify({ input, ...sent }), key));
      const alone = replies.map((reply) => reply.json());
      const learnt = since();
      const about = `${id} ${key} ${JSON.stringify(sent)}`;
      const batch = await ask(`${path}/batch`, JSON.stringify({ inputs, ...sent }), key);
      if (batch.statusCode === 200) expect(batch.json(), about).toEqual({ results: alone });
      // Refused as a whole, for what each is refused for.
      else expect(alone, about).toEqual(inputs.map(() => batch.json()));
      expect(since(), about).toEqual(learnt);
      if (Object.keys(sent).length > 0) continue;
      const lines = inputs.map((input) => `${JSON.stringify(input)}\n`).join("");
      const stream = await ask(`${path}/batch`, lines, key, "application/x-ndjson");
      const items = stream.payload.trimEnd().split("\n");
      expect(
        items.map((line) => JSON.parse(line)),
        about,
      ).toEqual([...alone, { done: true, count: inputs.length }]);
      expect(since(), about).toEqual(learnt);
    }
  }
});
