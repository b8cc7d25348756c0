import { describe, expect, it } from "vitest";
import { readIdentity } from "../src/host.js";

class Getters {
  readonly #name = "ada";
  get caller() {
    return this.#name;
  }
}
class OwnCaller {
  readonly caller = "ada";
  get tenant() {
    return "north";
  }
}
class Fields {
  readonly caller = "ada";
  readonly tenant = "north";
  is(name: string) {
    return this.caller === name;
  }
}

describe("an identity", () => {
  it.each([
    ["a getter of a class", new Getters(), /caller/],
    ["an inherited property", Object.create({ caller: "ada", tenant: "north" }), /caller, tenant/],
    ["a property that is not enumerable", Object.defineProperty({}, "caller", { value: "ada" }), /caller/],
    ["an own property, beside a getter of a class", new OwnCaller(), /tenant/],
  ])("whose copy would lose something is a fault, though it has a caller: %s", (_what, answer, names) => {
    expect(() => readIdentity(answer)).toThrow(
      expect.objectContaining({ code: "INTERNAL_ERROR", message: expect.stringMatching(names) }),
    );
  });

  it.each([
    ["an object literal", { caller: "ada", tenant: "north" }],
    ["an object without prototype", Object.assign(Object.create(null), { caller: "ada", tenant: "north" })],
    ["an instance with fields and methods", new Fields()],
    [
      "an object with getters of its own",
      {
        tenant: "north",
        get caller() {
          return "ada";
        },
      },
    ],
  ])("is copied: %s", (_what, answer) => {
    const identity = readIdentity(answer);
    expect({ ...identity }).toEqual({ caller: "ada", tenant: "north" });
    expect(Object.isFrozen(identity)).toBe(true);
  });

  it.each([
    [undefined],
    [null],
    [true],
    ["ada"],
    [() => ({ caller: "ada" })],
    [{}],
    [{ caller: "" }],
    [{ caller: 7 }],
    [{ caller: new String("ada") }],
    [Object.create({ caller: 7 })],
    [Promise.resolve({ caller: "ada" })],
  ])("is not what names no caller: %o", (answer) => {
    expect(readIdentity(answer)).toBeUndefined();
  });

  it("is read once: a getter cannot name one caller to the check and another to the hooks", () => {
    const names = ["ada", "admin"];
    const identity = readIdentity({
      get caller() {
        return names.shift();
      },
    });
    expect({ caller: identity?.caller, callerReadAgain: identity?.caller, names }).toEqual({
      caller: "ada",
      callerReadAgain: "ada",
      names: ["admin"],
    });
  });

  it("is the request's own and frozen to the bottom, and leaves the host's object as it was", () => {
    const given = { caller: "ada", roles: ["reader"], of: { teams: [{ id: 1 }] } };
    const identity = readIdentity(given);
    for (const part of [given, given.roles, given.of, given.of.teams, given.of.teams[0]])
      expect(Object.isFrozen(part)).toBe(false);
    given.roles.push("admin");
    given.of.teams.push({ id: 2 });
    expect(identity).toEqual({ caller: "ada", roles: ["reader"], of: { teams: [{ id: 1 }] } });
    const parts: unknown[] = [identity];
    for (const part of parts) {
      expect(Object.isFrozen(part)).toBe(true);
      parts.push(...Object.values(Object(part)).filter((inner) => typeof inner === "object"));
    }
    expect(parts).toHaveLength(5);
  });

  it("has copies of dates, maps and bytes, and the host's own functions and instances", () => {
    const store = new Fields();
    const may = () => true;
    const given = {
      caller: "ada",
      since: new Date(0),
      limits: new Map([["a", [1]]]),
      bytes: new Uint8Array([1]),
      may,
      store,
      cycle: undefined as unknown,
    };
    given.cycle = given;
    const identity = readIdentity(given);
    expect({ may: identity?.["may"], store: identity?.["store"] }).toEqual({ may, store });
    expect({ isSameMay: identity?.["may"] === may, isSameStore: identity?.["store"] === store }).toEqual({
      isSameMay: true,
      isSameStore: true,
    });
    expect({ isStoreFrozen: Object.isFrozen(store), isMayFrozen: Object.isFrozen(may) }).toEqual({
      isStoreFrozen: false,
      isMayFrozen: false,
    });
    given.since.setTime(1);
    given.limits.set("a", []);
    given.bytes[0] = 2;
    expect(identity).toMatchObject({ since: new Date(0), bytes: new Uint8Array([1]) });
    expect(identity?.["limits"]).toEqual(new Map([["a", [1]]]));
  });
});
