import { escapePointer, isJsonObject } from "@decern/core/schema";

const most = 64;

/** The scalars of an output by place. Of a list it says which items are in it, wherever they stand. */
export function outputsOf(data: unknown): ReadonlyMap<string, string> {
  const outputs = new Map<string, string>();
  const visit = (value: unknown, place: string): void => {
    if (outputs.size >= most) return;
    if (Array.isArray(value)) {
      outputs.set(`${place}/length`, String(value.length));
      for (const item of value)
        if (isScalar(item)) outputs.set(`${place}/*${JSON.stringify(item)}`, "listed");
        else visit(item, `${place}/*`);
    } else if (isJsonObject(value)) {
      for (const [name, member] of Object.entries(value)) visit(member, `${place}/${escapePointer(name)}`);
    } else outputs.set(place, JSON.stringify(value) ?? "");
  };
  visit(data, "");
  return outputs;
}

function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

/** Most values of an output that counts as one of a few. */
const fewValues = 32;

/** Tells outputs that take a few values, such as tiers and scores, from those that are computed, such as instalments. */
export class OutputKinds {
  readonly #seen = new Map<string, Set<string>>();

  add(outputs: ReadonlyMap<string, string>): void {
    for (const [place, value] of outputs) {
      const values = this.#seen.get(place);
      if (values === undefined) this.#seen.set(place, new Set([value]));
      else if (values.size <= fewValues) values.add(value);
    }
  }

  isOneOfFew(place: string): boolean {
    return (this.#seen.get(place)?.size ?? 0) <= fewValues;
  }
}
