import type { ProfileSource } from "@decern/core";
import { describe, expectTypeOf, it } from "vitest";
import { type WatchProfilesOptions, watchProfiles } from "../src/index.js";

describe("watchProfiles", () => {
  it("takes exactly one place that profiles come from", () => {
    expectTypeOf({ file: "p.json" }).toExtend<WatchProfilesOptions>();
    expectTypeOf({ url: new URL("https://a.example"), headers: { a: "b" } }).toExtend<WatchProfilesOptions>();
    expectTypeOf({}).not.toExtend<WatchProfilesOptions>();
    expectTypeOf({ file: "p.json", url: "https://a.example" }).not.toExtend<WatchProfilesOptions>();
    expectTypeOf({ file: "p.json", headers: {} }).not.toExtend<WatchProfilesOptions>();
  });

  it("takes a loader that may say unchanged, synchronous or not", () => {
    expectTypeOf(watchProfiles({ load: () => ({ profiles: {} }) })).toEqualTypeOf<ProfileSource>();
    watchProfiles({
      load: async ({ etag, signal }) => {
        expectTypeOf(etag).toEqualTypeOf<string | undefined>();
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
        return etag === "1" ? undefined : { profiles: {}, revision: "1", etag: "1" };
      },
    });
    // @ts-expect-error a plain map would be taken for a set with unknown keys
    watchProfiles({ load: () => ({ loan: {} }) });
  });
});
