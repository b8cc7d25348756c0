import { copyData } from "../copies/copy-data.js";
import { deepFreeze } from "../copies/freeze.js";
import { DecernError } from "../errors.js";
import type { Identity } from "../hooks/request-view.js";

/**
 * Reads an identity that a host's `authenticate` returned. It is read once, into a frozen copy that nobody shares: the caller
 * that was checked is the caller that is used. Class instances and functions in it stay the host's own.
 *
 * @returns `undefined` for what names no caller
 * @throws DecernError `INTERNAL_ERROR` for an object that names one in a way that a copy would lose
 */
export function readIdentity(answer: unknown): Identity | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const members: { readonly caller?: unknown } = { ...answer };
  const caller: unknown = Object.hasOwn(members, "caller") ? members.caller : Reflect.get(answer, "caller");
  if (typeof caller !== "string" || caller === "") return undefined;
  const lost = membersLost(answer);
  if (lost.length > 0) {
    const detail = `authenticate returned an object whose ${lost.join(", ")} would be lost in a copy: inherited, or not enumerable. Return a plain object, such as { caller: user.name }`;
    throw new DecernError("INTERNAL_ERROR", { detail });
  }
  const foreign = new Set<object>();
  const identity = copyData<Identity>({ ...members, caller }, (value) => {
    foreign.add(value);
    return value;
  });
  deepFreeze(identity, foreign);
  return identity;
}

/** What can be read of an object and is not in a spread of it. Methods are no data. */
function membersLost(value: object): readonly string[] {
  const lost: string[] = [];
  let owner = value;
  for (;;) {
    for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      const isCopied = owner === value && member.enumerable === true;
      if (!isCopied && typeof member.value !== "function") lost.push(name);
    }
    const parent: unknown = Object.getPrototypeOf(owner);
    // What all objects inherit is no part of an identity.
    if (typeof parent !== "object" || parent === null || Object.getPrototypeOf(parent) === null) return lost;
    owner = parent;
  }
}
