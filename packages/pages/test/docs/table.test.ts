import { toJsonSchema } from "@decern/core";
import { expect, it } from "vitest";
import { z } from "zod";
import { readTable } from "../../src/json/table.js";

const person = toJsonSchema(
  z.object({
    name: z.string(),
    points: z.number(),
    vip: z.boolean().optional(),
    tier: z.enum(["gold", "tin"]),
  }),
);
const read = (text: string, items = person) => readTable(text, items, items);

it("reads JSON", () => {
  expect(read('[{"name": "A", "points": 1}]')).toEqual({ items: [{ name: "A", points: 1 }] });
  expect(read('{"name": "A"}')).toEqual({ problem: "must be a list" });
  expect(read("[1,")).toHaveProperty("problem");
  // A number that JavaScript would change is no value here either.
  expect(read("[9007199254740993]")).toHaveProperty("problem");
});

it.each([",", ";", "\t"])(
  "reads a table whose cells are separated by %j, as the schema says",
  (separator) => {
    const text = [
      ["name", "points", "vip", "tier"],
      ['"Doe, ""J"""', "12.5", "true", "gold"],
      ["Ada", "7", "", "tin"],
    ];
    expect(read(text.map((row) => row.join(separator)).join("\r\n"))).toEqual({
      items: [
        { name: 'Doe, "J"', points: 12.5, vip: true, tier: "gold" },
        { name: "Ada", points: 7, tier: "tin" },
      ],
    });
  },
);

it("keeps lines within quotes, and text that is no value, for the form to mark", () => {
  expect(read('name,points\n"two\nlines",many')).toEqual({ items: [{ name: "two\nlines", points: "many" }] });
});

it("says what is wrong with a table", () => {
  expect(read("name,age\nAda,7")).toEqual({
    problem: 'has a column "age"; the fields are name, points, vip, tier',
  });
  expect(read("name,points\nAda")).toEqual({ problem: "line 2 has 1 cells instead of 2" });
  expect(read("  ")).toEqual({ problem: "is empty" });
});

it("reads plain values a line each", () => {
  expect(read("1\n2\n\nx", { type: "number" })).toEqual({ items: [1, 2, "x"] });
});
