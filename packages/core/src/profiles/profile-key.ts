/**
 * What a key of `profiles` stands for: `id` for every version of a decision, `id@version` for one of them, each with
 * `#name` for a profile that is only used where it is named.
 */
export interface ProfileKey {
  readonly id: string;
  readonly version: string | undefined;
  readonly name: string | undefined;
}

// Ids contain neither character. A version may contain any, so the name is what follows the last #.
const pattern = /^([^@#]+)(?:@(.+?))?(?:#([^#]+))?$/s;

/** @returns `undefined` for a text that is not a key */
export function parseProfileKey(text: string): ProfileKey | undefined {
  const match = pattern.exec(text);
  const id = match?.[1];
  return id === undefined ? undefined : { id, version: match?.[2], name: match?.[3] };
}
