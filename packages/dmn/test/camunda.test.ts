import { readFileSync } from "node:fs";
import { evaluate, toJsonSchema } from "@decern/core";
import { describe, expect, it } from "vitest";
import { loadDmn } from "../src/index.js";
import { dmn, literal } from "./support/models.js";

const trip = { name: "trip.dmn", text: readFileSync(new URL("models/trip.dmn", import.meta.url), "utf8") };
const dish = { name: "dish.dmn", text: readFileSync(new URL("models/dish.dmn", import.meta.url), "utf8") };

describe("models in the form of Camunda Modeler", () => {
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
    const text = dish.text.replace(
      '<inputEntry id="UnaryTests_5">',
      '<inputEntry id="UnaryTests_5" expressionLanguage="juel">',
    );
    expect(() => loadDmn([{ name: "dish.dmn", text }], { dialect: "camunda" })).toThrow(
      /line 41: "Course": expressions of juel are not supported/,
    );
  });
});
