import { copyFlat } from "./copy-flat.js";

/** What a copy holds in the place of a thing that is no plain data: a class instance, a function. */
export type CopyForeign = (value: object) => unknown;

/**
 * Copies plain data: lists, plain objects, dates, maps, sets and typed arrays, as deep as they go. Whoever gets the copy may
 * write to it as they like. It never throws, whatever a getter or a proxy in `value` does.
 *
 * @param foreign - decides on everything else. @default it is in the copy as it is
 */
export function copyData<T>(value: T, foreign?: CopyForeign): T;
export function copyData(value: unknown, foreign: CopyForeign = itself): unknown {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return value;
  const flat = copyFlat(value);
  if (flat !== undefined) return flat;
  // Not recursive: a caller chooses how deep an input is, and the stack would end first.
  const copies = new Map<object, unknown>();
  const unfinished: (() => void)[] = [];
  const copy = (original: unknown): unknown => {
    if ((typeof original !== "object" && typeof original !== "function") || original === null)
      return original;
    if (copies.has(original)) return copies.get(original);
    const { made, fill } = begin(original, copy, foreign);
    copies.set(original, made);
    if (fill !== undefined) unfinished.push(fill);
    return made;
  };
  const root = copy(value);
  for (let fill = unfinished.pop(); fill !== undefined; fill = unfinished.pop()) fill();
  return root;
}

/** Leaves everything else in the copy as it is. */
export function itself(value: object): object {
  return value;
}

const typedArray: unknown = Object.getPrototypeOf(Uint8Array.prototype);

interface Begun {
  readonly made: unknown;
  /** Copies what is inside. */
  readonly fill?: () => void;
}

function begin(original: object, copy: (value: unknown) => unknown, foreign: CopyForeign): Begun {
  try {
    if (Array.isArray(original)) return beginList(original, copy);
    const prototype: unknown = Object.getPrototypeOf(original);
    if (typeof original === "object" && isPlain(prototype) && !hasOwnForm(original))
      return beginObject(original, prototype, copy);
    if (prototype === Date.prototype && original instanceof Date) return { made: new Date(original) };
    if (prototype === Map.prototype && original instanceof Map) {
      const made = new Map<unknown, unknown>();
      const entries = [...original];
      const fill = (): void => {
        for (const [key, value] of entries) made.set(copy(key), copy(value));
      };
      return { made, fill };
    }
    if (prototype === Set.prototype && original instanceof Set) {
      const made = new Set<unknown>();
      const members = [...original];
      const fill = (): void => {
        for (const member of members) made.add(copy(member));
      };
      return { made, fill };
    }
    // Node's Buffer is not among them: a copy would be none.
    if (ArrayBuffer.isView(original) && Object.getPrototypeOf(prototype) === typedArray)
      return { made: structuredClone(original) };
  } catch {
    // A getter or a proxy that throws, or an object that only looks like a date: no plain data.
  }
  return { made: foreign(original) };
}

function beginList(original: readonly unknown[], copy: (value: unknown) => unknown): Begun {
  const made = [...original];
  const fill = (): void => {
    for (let index = 0; index < made.length; index += 1) {
      const value = made[index];
      if (typeof value === "object" || typeof value === "function") made[index] = copy(value);
    }
  };
  return { made, fill };
}

function beginObject(original: object, prototype: unknown, copy: (value: unknown) => unknown): Begun {
  // A spread defines what it copies, so that a key called `__proto__` stays a key.
  const made: object = { ...original };
  if (prototype === null) Object.setPrototypeOf(made, null);
  const fill = (): void => {
    for (const key of Reflect.ownKeys(made)) {
      const value: unknown = Reflect.get(made, key);
      if ((typeof value !== "object" && typeof value !== "function") || value === null) continue;
      const copied = copy(value);
      // Left out, as JSON leaves it out.
      if (copied === undefined) Reflect.deleteProperty(made, key);
      else Reflect.set(made, key, copied);
    }
  };
  return { made, fill };
}

/** Says itself how JSON writes it. */
function hasOwnForm(value: object): boolean {
  return "toJSON" in value && typeof value.toJSON === "function";
}

/** An object literal, of any realm, or an object without prototype. */
function isPlain(prototype: unknown): boolean {
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
