import { tokensOf } from "../json.js";

/** What is masked at and below one place of an input. */
export interface MaskNode {
  /** The pointer of the place, with `*` for indexes, so that there are few of them. */
  readonly pointer: string;
  readonly isMasked: boolean;
  readonly children: ReadonlyMap<string, MaskNode>;
}

/** What was removed from a payload, by what it was a part of. */
export interface MaskedPlaces {
  /** Absent where nothing of the input is masked. */
  readonly input: MaskNode | undefined;
  /** In the input, as tokens. */
  readonly inputPlaces: readonly (readonly string[])[];
  /** In the envelope, as tokens. Empty tokens stand for all of it. */
  readonly resultPlaces: readonly (readonly string[])[];
  readonly errorPlaces: readonly (readonly string[])[];
  readonly hasMaskedData: boolean;
  readonly hasMaskedExplanation: boolean;
  readonly hasMaskedProfile: boolean;
  /** Whether it is not known what was used. */
  readonly hasMaskedUse: boolean;
}

/** Most lists of pointers that are remembered. */
const maxKnown = 1000;

/** Reads the `masked` of records. Most records of a decision have the same. */
export class MaskReader {
  readonly #known = new Map<string, MaskedPlaces>();

  read(masked: readonly string[]): MaskedPlaces {
    const key = masked.join("\n");
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const places = readPlaces(masked);
    if (this.#known.size === maxKnown) this.#known.clear();
    this.#known.set(key, places);
    return places;
  }
}

function readPlaces(masked: readonly string[]): MaskedPlaces {
  const all = masked.map(tokensOf);
  const within = (name: string): readonly (readonly string[])[] =>
    all.filter(([first]) => first === name).map((tokens) => tokens.slice(1));
  const inputPlaces = within("input");
  const resultPlaces = within("result");
  return {
    input: inputPlaces.length === 0 ? undefined : treeOf(inputPlaces),
    inputPlaces,
    resultPlaces,
    errorPlaces: within("error"),
    hasMaskedData: resultPlaces.some(([first]) => first === undefined || first === "data"),
    hasMaskedExplanation: resultPlaces.some(([first]) => first !== "data"),
    hasMaskedProfile: within("profile").length > 0,
    hasMaskedUse: within("used").some(isWholeUse),
  };
}

/** Whether an entry is gone, and not only a part of its result. */
function isWholeUse(tokens: readonly string[]): boolean {
  return !tokens.includes("result");
}

function treeOf(places: readonly (readonly string[])[], pointer = "/input"): MaskNode {
  const below = new Map<string, (readonly string[])[]>();
  for (const [name, ...rest] of places) {
    if (name === undefined) continue;
    const list = below.get(name);
    if (list === undefined) below.set(name, [rest]);
    else list.push(rest);
  }
  const children = new Map(
    [...below].map(([name, rest]) => [name, treeOf(rest, `${pointer}/${/^\d+$/.test(name) ? "*" : name}`)]),
  );
  return { pointer, isMasked: places.some((tokens) => tokens.length === 0), children };
}
