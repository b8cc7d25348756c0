import { isObject, type JsonObject, listOf, own, sameJson, textOf } from "../json/values.js";
import type { SharedCall } from "../model/call.js";
import type { DocsDecision } from "../model/data.js";
import { fieldLabel } from "../model/flip-text.js";
import { evaluatedRungs, messageOf, metaIn, type Reply, statusOf } from "../model/reply.js";
import { leavesOf, Removed } from "../model/trace.js";

/** A call and its result, to be compared with a second call. */
export interface Run {
  readonly call: SharedCall;
  readonly reply: Reply;
}

/** What the call in the form is compared with: a pinned run, or the same call under another version or profile. */
export type Rival =
  | { readonly kind: "pinned" }
  | { readonly kind: "version"; readonly version: string }
  /** Without a name, the default profile. */
  | { readonly kind: "profile"; readonly name: string | undefined };

/** What can be chosen, each with its label. The keys are for a menu. */
export function rivalsOf(
  { version, versions, namedProfiles }: Pick<DocsDecision, "version" | "versions" | "namedProfiles">,
  hasPinned: boolean,
): ReadonlyMap<string, { readonly label: string; readonly rival: Rival }> {
  const rivals = new Map<string, { readonly label: string; readonly rival: Rival }>();
  if (hasPinned) rivals.set("pinned", { label: "The pinned outcome", rival: { kind: "pinned" } });
  for (const other of versions) {
    if (other.version === version) continue;
    const rival = { kind: "version", version: other.version } as const;
    rivals.set(`version ${other.version}`, { label: `Version ${other.version}`, rival });
  }
  if (namedProfiles.length > 0)
    rivals.set("default", { label: "Default profile", rival: { kind: "profile", name: undefined } });
  for (const { name } of namedProfiles) {
    rivals.set(`profile ${name}`, { label: `Profile ${name}`, rival: { kind: "profile", name } });
  }
  return rivals;
}

/** The same call for a rival. Another profile of the host replaces the caller's own. */
export function callFor(rival: Rival, call: SharedCall): SharedCall {
  if (rival.kind !== "profile") return call;
  return rival.name === undefined ? { input: call.input } : { input: call.input, profileName: rival.name };
}

/** How an evaluation ended: the status, and the envelope or what the caller received for an error. */
export interface Ending {
  readonly status: string;
  readonly body: unknown;
}

/** One line of a comparison. */
export interface Difference {
  /** What the line is about, such as the title of an output. */
  readonly name: string;
  /** What stands before the name, where the line is not about the outcome itself. */
  readonly part?: "Output" | "Input" | "Profile" | "Rule";
  /** Undefined where a side has none. */
  readonly left: unknown;
  readonly right: unknown;
  /** `unknown` where one of them was removed before writing; `reworded` where the outcome is the same all the same. */
  readonly state: "same" | "changed" | "unknown" | "reworded";
}

type Values = ReadonlyMap<string, unknown>;

/** Compares the values of two sides, by their names. */
function linesOf(left: Values, right: Values, more: Pick<Difference, "part"> = {}): readonly Difference[] {
  return [...new Set([...left.keys(), ...right.keys()])].map((name) => {
    const [one, other] = [left.get(name), right.get(name)];
    const isRemoved = one instanceof Removed || other instanceof Removed;
    const state = isRemoved ? "unknown" : sameJson(one, other) ? "same" : "changed";
    return { name, ...more, left: one, right: other, state };
  });
}

/** Compares how two evaluations ended: the outcome, the rule and its reason, then errors and each value of the output. */
export function outcomeDifferences(
  left: Ending,
  right: Ending,
  outputSchema: JsonObject,
): readonly Difference[] {
  const outputs = ({ body }: Ending) =>
    labelled(isObject(body) ? own(body, "data") : undefined, outputSchema);
  return [
    ...linesOf(placesOf(left), placesOf(right)),
    ...linesOf(outputs(left), outputs(right), { part: "Output" }),
  ];
}

function placesOf({ status, body }: Ending): Values {
  const envelope = isObject(body) ? body : {};
  const meta = metaIn(body);
  const code = own(envelope, "code");
  return new Map([
    ["Outcome", status.replaceAll("_", " ")],
    ["Rule", own(meta, "matchedRule")],
    ["Reason", own(meta, "explanation") ?? own(envelope, "message")],
    ...(code === undefined ? [] : [["Error", code] as const]),
    ...(listOf(envelope, "errors") ?? []).flatMap((error) =>
      isObject(error) ? [[`Error at ${textOf(error, "path") || "/"}`, own(error, "message")] as const] : [],
    ),
  ]);
}

/** Every value of a tree, by what the form calls its place. A place whose label isn't unique keeps its pointer. */
function labelled(root: unknown, schema: JsonObject): Values {
  const leaves = [...leavesOf(root)];
  const labels = leaves.map(([pointer]) => (pointer === "" ? "Whole value" : fieldLabel(pointer, schema)));
  return new Map(
    leaves.map(([pointer, value], index) => {
      const label = labels[index] ?? pointer;
      return [labels.indexOf(label) === labels.lastIndexOf(label) ? label : `${label} (${pointer})`, value];
    }),
  );
}

type Schemas = Pick<DocsDecision, "inputSchema" | "outputSchema" | "profileSchema">;

/** Compares two runs: how they ended, and what else differs. */
export function differencesOf(left: Run, right: Run, schemas: Schemas): readonly Difference[] {
  const context = [
    ...linesOf(factsOf(left), factsOf(right)),
    ...linesOf(
      labelled(left.call.input, schemas.inputSchema),
      labelled(right.call.input, schemas.inputSchema),
      {
        part: "Input",
      },
    ),
    ...linesOf(
      labelled(left.call.profile, schemas.profileSchema),
      labelled(right.call.profile, schemas.profileSchema),
      { part: "Profile" },
    ),
    ...ruleLines(left.reply, right.reply),
  ].filter(({ state }) => state !== "same");
  return [
    ...outcomeDifferences(endingOf(left.reply), endingOf(right.reply), schemas.outputSchema),
    ...context,
  ];
}

function endingOf(reply: Reply): Ending {
  return { status: statusOf(reply), body: isObject(reply.body) ? reply.body : { message: messageOf(reply) } };
}

function factsOf({ call, reply }: Run): Values {
  return new Map<string, unknown>([
    ["Version", textOf(metaIn(reply.body), "decisionVersion")],
    ["Profile name", call.profileName],
  ]);
}

/** How each rule ended that either of two evaluations reached. */
function ruleLines(left: Reply, right: Reply): readonly Difference[] {
  const [one, other] = [endsOf(left), endsOf(right)];
  const names = [...new Set([...one.keys(), ...other.keys()])];
  const all = (ends: Values) => new Map(names.map((name) => [name, ends.get(name) ?? "not reached"]));
  return linesOf(all(one), all(other), { part: "Rule" });
}

function endsOf({ body }: Reply): Values {
  return new Map(
    evaluatedRungs(body).map(({ id, state }) => [id, state === "hit" ? "matched" : "not matched"]),
  );
}
