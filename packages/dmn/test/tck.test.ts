import { describe, expect, it } from "vitest";
import { runLevel } from "./support/tck.js";

const kit = new URL("tck/", import.meta.url).pathname;

describe("the technology compatibility kit", () => {
  it("level 2: every case passes", () => {
    const { failed, total } = runLevel(kit, "compliance-level-2");
    expect(failed).toEqual([]);
    expect(total).toBe(81);
  });

  it("level 3: every case passes but those that call Java", () => {
    const { failed, total } = runLevel(kit, "compliance-level-3");
    expect([...new Set(failed.map(({ folder }) => folder))]).toEqual(["0076-feel-external-java"]);
    expect(failed).toHaveLength(9);
    expect(total).toBe(2048);
  });
});
