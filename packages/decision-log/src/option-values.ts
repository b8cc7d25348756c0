import type { SampleRates } from "./options.js";
import type { SubjectOf } from "./record/drafter.js";
import { type SubjectKey, Subjects } from "./record/subjects.js";

/** @param key - one, or a list */
export function subjectsOf(key: SubjectKey | readonly SubjectKey[] | undefined): Subjects | undefined {
  if (key === undefined) return undefined;
  return new Subjects(typeof key === "string" || key instanceof Uint8Array ? [key] : key);
}

/** What names persons, by id of the decision. Each is called with the input of its own decision. */
export function subjectFunctions(of: object | undefined): ReadonlyMap<string, SubjectOf> {
  const entries: readonly (readonly [string, unknown])[] = Object.entries(of ?? {});
  return new Map(
    entries.flatMap(([id, name]) =>
      typeof name === "function" ? [[id, (input: unknown): unknown => name(input)] as const] : [],
    ),
  );
}

/** Sample rates by id of the decision. */
export function sampleRates(
  sample: Readonly<Record<string, SampleRates | undefined>> | undefined,
): ReadonlyMap<string, SampleRates> {
  return new Map(
    Object.entries(sample ?? {}).flatMap(([id, rates]) =>
      rates === undefined ? [] : [[id, rates] as const],
    ),
  );
}
