/** More properties than in most inputs; what has more is copied when somebody looks. */
const maxKeys = 32;

/**
 * Copies an object literal that holds primitives only, which costs less than to prepare a copy for later.
 *
 * @returns `undefined` for everything else
 */
export function copyFlat(value: object): object | undefined {
  try {
    if (!isLiteral(value) || !holdsPrimitives(value)) return undefined;
    const copy = { ...value };
    // Once more: a getter may have returned something else.
    return holdsPrimitives(copy) && Object.getOwnPropertySymbols(copy).length === 0 ? copy : undefined;
  } catch {
    // A getter or a proxy that throws.
    return undefined;
  }
}

function isLiteral(value: object): value is Readonly<Record<string, unknown>> {
  return Object.getPrototypeOf(value) === Object.prototype && !("toJSON" in value);
}

/** Tells whether an object has few properties, and primitives in all of them. Symbols are not looked at. */
function holdsPrimitives(value: Readonly<Record<string, unknown>>): boolean {
  let count = 0;
  for (const key in value) {
    const inner = value[key];
    if ((typeof inner === "object" && inner !== null) || typeof inner === "function") return false;
    count += 1;
    if (count > maxKeys) return false;
  }
  return true;
}
