import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergePatch } from "../../src/service/choice.js";

describe("mergePatch", () => {
  it.each([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', "{}"],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', "null", "null"],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ["[1,2]", '{"a":"b","c":null}', '{"a":"b"}'],
    ["{}", '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ])("merges into %s the patch %s of RFC 7396, appendix A", (target, patch, result) => {
    expect(mergePatch(JSON.parse(target), JSON.parse(patch))).toEqual(JSON.parse(result));
  });

  it("merges the example of RFC 7396, section 3", () => {
    const target = {
      title: "Goodbye!",
      author: { givenName: "John", familyName: "Doe" },
      tags: ["example", "sample"],
      content: "This will be unchanged",
    };
    const patch = {
      title: "Hello!",
      phoneNumber: "+01-123-456-7890",
      author: { familyName: null },
      tags: ["example"],
    };
    expect(mergePatch(target, patch)).toEqual({
      title: "Hello!",
      author: { givenName: "John" },
      tags: ["example"],
      content: "This will be unchanged",
      phoneNumber: "+01-123-456-7890",
    });
  });

  it("changes neither value, and merging the same patch again changes nothing", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (target, patch) => {
        const before = structuredClone([target, patch]);
        const merged = mergePatch(target, patch);
        expect([target, patch]).toEqual(before);
        expect(mergePatch(merged, patch)).toEqual(merged);
      }),
    );
  });

  it("keeps a key called __proto__ a key", () => {
    const merged = mergePatch({}, JSON.parse('{"__proto__":{"admin":true}}'));
    expect(JSON.stringify(merged)).toBe('{"__proto__":{"admin":true}}');
    expect(Reflect.get(Object(merged), "admin")).toBeUndefined();
  });
});
