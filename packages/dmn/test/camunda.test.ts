import { readFileSync } from "node:fs";
import { evaluate, toJsonSchema } from "@decern/core";
import { describe, expect, it } from "vitest";
import { loadDmn } from "../src/index.js";
import { dmn, literal } from "./support/models.js";

const [trip, dish, parcel] = [saved("trip"), saved("dish"), saved("parcel")];

function saved(name: string) {
  const text = readFileSync(new URL(`models/${name}.dmn`, import.meta.url), "utf8");
  return { name: `${name}.dmn`, text };
}

describe("models of Camunda's editor", () => {
  const [menu, course] = loadDmn([dish], { dialect: "camunda" });
  if (menu === undefined || course === undefined) throw new Error("two decisions expected");

  it("take names that nothing defines as inputs, with the types of their columns", () => {
    expect(toJsonSchema(menu.inputSchema)).toMatchObject({
      required: ["guestCount", "season"],
      properties: {
        guestCount: { anyOf: [{ type: "number" }, { type: "null" }] },
        season: { anyOf: [{ type: "string" }, { type: "null" }] },
      },
    });
    expect(toJsonSchema(course.inputSchema)).toMatchObject({ required: ["season"] });
  });

  it("find the results of required decisions by the names of their outputs", () => {
    expect(evaluate(menu, { guestCount: 4, season: "winter" })).toMatchObject({
      data: { Menu: "roast for 4" },
      meta: { matchedRule: "Menu/1" },
    });
    expect(evaluate(menu, { guestCount: 9, season: "winter" })).toMatchObject({ data: { Menu: "stew" } });
    expect(evaluate(course, { season: "summer" })).toMatchObject({ data: { Course: "salad" } });
  });

  it("find the results of required decisions by the ids of the decisions", () => {
    const price = loadDmn([parcel], { dialect: "camunda" }).find(({ id }) => id === "Parcel-price");
    if (price === undefined) throw new Error("no decision");
    expect(evaluate(price, { zone: 2, express: true, weightInKg: 12 })).toMatchObject({
      data: { "Parcel price": 16.125 },
      meta: { matchedRule: "Fee of the zone/1" },
    });
    expect(evaluate(price, { zone: 5, express: false, weightInKg: 10 })).toMatchObject({
      data: { "Parcel price": 9 },
    });
    expect(evaluate(price, { zone: 9, express: false, weightInKg: 1 })).toMatchObject({
      data: { "Parcel price": null },
    });
  });

  it("have the names in expressions as inputs, and none of the labels of a diagram", () => {
    const [luggage, vehicle] = loadDmn([trip], { dialect: "camunda" });
    if (luggage === undefined || vehicle === undefined) throw new Error("two decisions expected");
    const namesOf = ({ inputSchema }: typeof luggage) =>
      Object.keys(Object(toJsonSchema(inputSchema)).properties);
    expect(namesOf(luggage)).toEqual(["withChildren", "distanceKm"]);
    expect(namesOf(vehicle)).toEqual(["distanceKm"]);
    expect(evaluate(luggage, { distanceKm: 5, withChildren: true })).toMatchObject({
      data: { Luggage: ["rucksack", "toys"] },
      meta: { matchedRule: "Luggage/1" },
    });
    const named = { ...trip, text: trip.text.replace(/How far\?/, "distanceKm") };
    expect(loadDmn([named], { dialect: "camunda" }).map(namesOf)).toEqual([
      expect.arrayContaining(["withChildren", "distanceKm"]),
      ["distanceKm"],
    ]);
  });

  it("need the dialect: FEEL knows no such names", () => {
    expect(() => loadDmn([dish])).toThrow(/there is no type "integer"/);
    const [decision] = loadDmn([dmn(literal("x", "season"))], { logger: { error() {} } });
    expect(decision && evaluate(decision, { season: "winter" })).toMatchObject({ data: { x: null } });
  });

  it("are refused with the element named if an expression is not FEEL", () => {
    const lines = dish.text.split("\n");
    const cell = lines.findLastIndex((line) => line.includes("<inputEntry "));
    const text = lines
      .with(cell, (lines[cell] ?? "").replace("<inputEntry ", '<inputEntry expressionLanguage="juel" '))
      .join("\n");
    expect(() => loadDmn([{ name: "dish.dmn", text }], { dialect: "camunda" })).toThrow(
      `line ${cell + 1}: "Course": expressions of juel are not supported`,
    );
  });
});
