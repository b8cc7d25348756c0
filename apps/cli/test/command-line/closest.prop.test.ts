import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { closest } from "../../src/text/text.js";

const names = ["replay", "explore", "completion", "openapi", "serve"];
const word = fc.constantFrom(...names);
const letter = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz");

describe("closest", () => {
  it("finds a name that is one mistake away", () => {
    const mistake = fc.constantFrom("left out", "put in", "replaced", "swapped");
    fc.assert(
      fc.property(word, mistake, fc.nat(), letter, (name, kind, place, other) => {
        const at = place % (name.length - 1);
        const rest = name.slice(at + 1);
        const typed = {
          "left out": name.slice(0, at) + rest,
          "put in": name.slice(0, at) + other + name.slice(at),
          replaced: name.slice(0, at) + other + rest,
          swapped: name.slice(0, at) + (name[at + 1] ?? "") + (name[at] ?? "") + name.slice(at + 2),
        }[kind];
        expect(closest(typed, names)).toBe(name);
      }),
      { seed: 14 },
    );
  });

  it("finds nothing that shares no letter with what was typed", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("z", "q", "9"), { minLength: 1 }), (letters) => {
        expect(closest(letters.join(""), names)).toBeUndefined();
      }),
      { seed: 14 },
    );
  });
});
