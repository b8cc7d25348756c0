import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ProfileKey, parseProfileKey } from "../../src/service/profiles.js";

function format({ id, version, name }: ProfileKey): string {
  return `${id}${version === undefined ? "" : `@${version}`}${name === undefined ? "" : `#${name}`}`;
}

const id = fc.stringMatching(/^[A-Za-z0-9._~-]{1,100}$/);
// Any but one with a #, which starts a name.
const version = fc.string({ unit: "binary", minLength: 1 }).filter((text) => !text.includes("#"));
const name = fc.string({ unit: "binary", minLength: 1 }).filter((text) => !text.includes("#"));

describe("the key of a profile", () => {
  it("is read as it was written, whatever the version and the name are", () => {
    fc.assert(
      fc.property(
        fc.record({
          id,
          version: fc.option(version, { nil: undefined }),
          name: fc.option(name, { nil: undefined }),
        }),
        (key) => {
          expect(parseProfileKey(format(key))).toEqual(key);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("is written as it was read, whatever the text is", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "1", ".", "@", "#", "\n", "é") });
    fc.assert(
      fc.property(text, (given) => {
        const key = parseProfileKey(given);
        if (key !== undefined) expect(format(key)).toBe(given);
      }),
      { numRuns: 1000 },
    );
  });

  it.each(["", "@1", "#strict", "loan@", "loan#", "loan#a@b#", "loan#a#b"])("is not %j", (text) => {
    expect(parseProfileKey(text)).toBeUndefined();
  });
});
