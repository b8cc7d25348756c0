import { quoteText } from "./quote-text.js";

/** A member of an object, ready to be written. */
interface Member {
  readonly key: string;
  /** Its name and the colon, for the first member that is written; `undefined` for a name that has no UTF-8 form. */
  readonly first: string | undefined;
  /** The same with a comma before it. */
  readonly further: string;
}

interface MemberOrder {
  /** The names as objects have them. */
  readonly keys: readonly string[];
  /** In canonical order. */
  readonly members: readonly Member[];
}

const slots = 256;
const mostKeys = 64;
/** Names come from callers: what is remembered of them is bounded. */
const longestKeys = 2000;

/** Sorts and quotes the names of an object's members, once for many objects that have the same ones. */
export class MemberOrders {
  /** Objects of other names may have the same place, and take it. */
  readonly #known: (MemberOrder | undefined)[] = Array.from({ length: slots }, () => undefined);

  /** @param keys - the names in the order in which the object has them */
  of(keys: readonly string[]): readonly Member[] {
    if (keys.length > mostKeys) return inOrder(keys);
    const slot = slotOf(keys);
    const known = this.#known[slot];
    if (known !== undefined && areSame(known.keys, keys)) return known.members;
    const members = inOrder(keys);
    if (keys.reduce((sum, key) => sum + key.length, 0) <= longestKeys) this.#known[slot] = { keys, members };
    return members;
  }
}

/** By the first and last name, and how many there are. */
function slotOf(keys: readonly string[]): number {
  const first = keys[0] ?? "";
  const last = keys[keys.length - 1] ?? "";
  const mixed = keys.length * 31 + first.length * 7 + last.length * 13;
  return (mixed + codeOf(first) * 3 + codeOf(last) * 5) % slots;
}

function codeOf(text: string): number {
  return text === "" ? 0 : text.charCodeAt(text.length - 1);
}

function areSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false;
  return true;
}

/** By their UTF-16 code units, as RFC 8785 asks. */
function inOrder(keys: readonly string[]): readonly Member[] {
  return [...keys].sort().map((key) => {
    const name = quoteText(key);
    return { key, first: name && `${name}:`, further: `,${name}:` };
  });
}
