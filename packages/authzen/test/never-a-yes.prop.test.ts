import type { FeatureReply } from "@decern/core";
import { createFeaturedService } from "@decern/core/host";
import fc from "fast-check";
import { expect, it } from "vitest";
import { authzen } from "../src/index.js";
import { canRead } from "./can-read.js";

const facade = authzen({
  evaluation: canRead,
  toInput({ subject: { id } }): unknown {
    if (id === "unmappable") throw new Error("secret");
    return id === "later" ? Promise.resolve({ subject: "yes" }) : { subject: id };
  },
});
const logger = { error: () => {} };
const { routes } = createFeaturedService("test", { decisions: [canRead], facades: [facade], logger }, {});

async function ask(path: string, body: unknown): Promise<FeatureReply> {
  const route = routes.find((one) => one.path === path);
  if (route === undefined) throw new Error(`no route ${path}`);
  const origin = () => ({ caller: undefined, request: undefined });
  const received = { requestId: "r", headers: {}, body, source: undefined, origin, isGone: () => false };
  return route.answer(received, (thrown) => {
    throw thrown;
  });
}

const id = fc.constantFrom("yes", "later", "no", "odd", "nobody", "throws", "unmappable");
const isYes = (subject: unknown) => subject === "yes" || subject === "later";
const damaged = fc.oneof(fc.jsonValue(), fc.constant(undefined));
const entity = (given: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 4, arbitrary: given.map((one) => ({ type: "user", id: one })) },
    { weight: 1, arbitrary: fc.record({ id: given }) },
    { weight: 1, arbitrary: damaged },
  );
const request = fc.record(
  {
    subject: entity(id),
    action: fc.oneof(
      { weight: 4, arbitrary: fc.constant({ name: "read" }) },
      { weight: 1, arbitrary: damaged },
    ),
    resource: entity(fc.constant("page")),
    context: fc.oneof(fc.constant({}), damaged),
  },
  { requiredKeys: [] },
);

/** The only thing that may become a yes: a whole request whose subject the decision lets in. */
function mayBeYes(body: unknown): boolean {
  const { subject, action, resource, context } = Object(body);
  const isText = (value: unknown) => typeof value === "string";
  return (
    isText(subject?.type) &&
    isYes(subject?.id) &&
    isText(action?.name) &&
    isText(resource?.type) &&
    isText(resource?.id) &&
    (context === undefined || (typeof context === "object" && context !== null && !Array.isArray(context)))
  );
}

it("says yes to what the decision allows, and to nothing else, whatever is sent", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(request, fc.jsonValue()), async (body) => {
      const { status, body: text = "" } = await ask("/access/v1/evaluation", body);
      const answer: unknown = JSON.parse(text);
      const isPermit =
        typeof answer === "object" && answer !== null && "decision" in answer && answer.decision;
      expect(isPermit === true).toBe(mayBeYes(body));
      if (isPermit === true) expect(status).toBe(200);
      expect(text).not.toContain("secret");
    }),
  );
});

const semantic = fc.constantFrom("execute_all", "deny_on_first_deny", "permit_on_first_permit");

it("answers several as it would one by one, up to where the semantic ends", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(request, { minLength: 1, maxLength: 40 }),
      semantic,
      async (evaluations, evaluations_semantic) => {
        const body = { evaluations, options: { evaluations_semantic } };
        const { status, body: text = "" } = await ask("/access/v1/evaluations", body);
        expect(status).toBe(200);
        const decisions = (JSON.parse(text) as { evaluations: { decision: unknown }[] }).evaluations.map(
          ({ decision }) => decision,
        );
        const expected = evaluations.map(mayBeYes);
        const last =
          evaluations_semantic === "execute_all"
            ? -1
            : expected.indexOf(evaluations_semantic === "permit_on_first_permit");
        expect(decisions).toEqual(last < 0 ? expected : expected.slice(0, last + 1));
      },
    ),
  );
});
