import { evaluate } from "@decern/core";
import "@decern/testing/vitest";
import { describe, expect, it } from "vitest";
import { news2, profiles } from "../../src/decisions/index.js";

const well = {
  respirationRate: 16,
  spo2: 97,
  spo2Scale: 1,
  breathing: "air",
  systolicBloodPressure: 120,
  pulse: 70,
  consciousness: "A",
  temperature: 37,
};

function ask(change: object) {
  const result = evaluate(news2, { ...well, ...change } as unknown, profiles.news2);
  if (result.status !== "OK") throw new Error(`${result.status}: ${result.message}`);
  return { rule: result.meta.matchedRule, why: result.meta.explanation, ...result.data };
}

/**
 * Chart 1 of the Royal College of Physicians' report of 2017, cell by cell, in the order in which it is printed: scores 3, 2, 1
 * for low values, 0, then 1, 2, 3 for high ones. Each cell is [score, first value, last value]; the outermost values are
 * the schema's bounds.
 */
const scale1 = { spo2Scale: 1 };
const onAir = { spo2Scale: 2, breathing: "air" };
const onOxygen = { spo2Scale: 2, breathing: "oxygen" };
const chart: [string, keyof ReturnType<typeof ask>["scores"], object, number, [number, number, number][]][] =
  [
    [
      "Respiration rate (per minute)",
      "respirationRate",
      {},
      1,
      [
        [3, 0, 8],
        [1, 9, 11],
        [0, 12, 20],
        [2, 21, 24],
        [3, 25, 100],
      ],
    ],
    [
      "SpO2 scale 1 (%), on air",
      "spo2",
      { ...scale1, breathing: "air" },
      1,
      [
        [3, 0, 91],
        [2, 92, 93],
        [1, 94, 95],
        [0, 96, 100],
      ],
    ],
    [
      "SpO2 scale 1 (%), on oxygen: the same",
      "spo2",
      { ...scale1, breathing: "oxygen" },
      1,
      [
        [3, 0, 91],
        [2, 92, 93],
        [1, 94, 95],
        [0, 96, 100],
      ],
    ],
    [
      "SpO2 scale 2 (%), on air",
      "spo2",
      onAir,
      1,
      [
        [3, 0, 83],
        [2, 84, 85],
        [1, 86, 87],
        [0, 88, 92],
        [0, 93, 100],
      ],
    ],
    [
      "SpO2 scale 2 (%), on oxygen",
      "spo2",
      onOxygen,
      1,
      [
        [3, 0, 83],
        [2, 84, 85],
        [1, 86, 87],
        [0, 88, 92],
        [1, 93, 94],
        [2, 95, 96],
        [3, 97, 100],
      ],
    ],
    [
      "Systolic blood pressure (mmHg)",
      "systolicBloodPressure",
      {},
      1,
      [
        [3, 0, 90],
        [2, 91, 100],
        [1, 101, 110],
        [0, 111, 219],
        [3, 220, 350],
      ],
    ],
    [
      "Pulse (per minute)",
      "pulse",
      {},
      1,
      [
        [3, 0, 40],
        [1, 41, 50],
        [0, 51, 90],
        [1, 91, 110],
        [2, 111, 130],
        [3, 131, 350],
      ],
    ],
    [
      "Temperature (°C)",
      "temperature",
      {},
      10,
      [
        [3, 200, 350],
        [1, 351, 360],
        [0, 361, 380],
        [1, 381, 390],
        [2, 391, 500],
      ],
    ],
  ];

describe("the published chart, every value of every row", () => {
  it.each(chart)("%s", (_row, parameter, rest, unit, cells) => {
    for (const [score, first, last] of cells) {
      for (let value = first; value <= last; value += 1) {
        const { scores } = ask({ ...rest, [parameter]: value / unit });
        expect(scores[parameter], `${String(parameter)} ${value / unit}`).toBe(score);
      }
    }
  });

  it.each([
    ["air", 0],
    ["oxygen", 2],
  ])("Air or oxygen: %s scores %i", (breathing, score) => {
    expect(ask({ breathing }).scores.breathing).toBe(score);
  });

  it.each([
    ["A", 0],
    ["C", 3],
    ["V", 3],
    ["P", 3],
    ["U", 3],
  ])("Consciousness: %s scores %i", (consciousness, score) => {
    expect(ask({ consciousness }).scores.consciousness).toBe(score);
  });

  it("uses scale 1 by default", () => {
    const { spo2Scale: _scale, ...unsaid } = well;
    const result = evaluate(news2, { ...unsaid, spo2: 90 } as unknown, profiles.news2);
    expect(result).toMatchObject({ status: "OK", data: { scores: { spo2: 3 } } });
  });
});

/** Parameters that score a given number of points each, without reaching 3. */
const one = { temperature: 38.5 };
const two = { breathing: "oxygen" };
const four = { ...two, systolicBloodPressure: 95 };

describe("the published thresholds", () => {
  it.each([
    ["0", {}, 0, "zero", "low", 12],
    ["1", one, 1, "low", "low", 6],
    ["4", four, 4, "low", "low", 6],
    ["3 in one parameter", { pulse: 131 }, 3, "low-medium", "low-medium", 1],
    ["4 with 3 in one parameter", { pulse: 131, ...one }, 4, "low-medium", "low-medium", 1],
    ["5", { ...four, ...one }, 5, "medium", "medium", 1],
    ["5 with 3 in one parameter", { pulse: 131, ...two }, 5, "medium", "medium", 1],
    ["6", { ...four, respirationRate: 22 }, 6, "medium", "medium", 1],
    ["7", { ...four, respirationRate: 22, ...one }, 7, "high", "high", 0],
    [
      "20, the highest there is",
      {
        respirationRate: 30,
        spo2: 80,
        breathing: "oxygen",
        systolicBloodPressure: 70,
        pulse: 150,
        consciousness: "U",
        temperature: 34,
      },
      20,
      "high",
      "high",
      0,
    ],
  ])("aggregate %s", (_name, change, score, rule, risk, monitorEveryHours) => {
    expect(ask(change)).toMatchObject({ score, rule, risk, monitorEveryHours });
  });

  it("names the single parameter that scores 3", () => {
    expect(ask({ pulse: 131 }).why).toBe("The score of 3 is below 5, but pulse alone scores 3");
  });
});

describe("a ward's policy", () => {
  const monitorEveryHours = { zero: 8, low: 4, lowMedium: 0.5, medium: 0.25 };

  it.each([
    [{}, 8],
    [one, 4],
    [{ pulse: 131 }, 0.5],
    [{ ...four, ...one }, 0.25],
  ])("may require more frequent observations: %o", (change, hours) => {
    const result = evaluate(news2, { ...well, ...change } as unknown, { monitorEveryHours } as unknown);
    expect(result).toMatchObject({ status: "OK", data: { monitorEveryHours: hours } });
  });

  it.each([{ zero: 12.5 }, { low: 7 }, { lowMedium: 2 }, { medium: 0 }])(
    "but never less frequent ones: %o",
    (change) => {
      const result = evaluate(
        news2,
        well as unknown,
        { monitorEveryHours: { ...monitorEveryHours, ...change } } as unknown,
      );
      expect(result).toBeInvalidProfile(...Object.keys(change).map((name) => `/monitorEveryHours/${name}`));
    },
  );
});

it.each([
  { spo2: 101 },
  { spo2: 97.5 },
  { spo2Scale: 3 },
  { consciousness: "a" },
  { temperature: 98.6 },
  { pulse: "70" },
  { breathing: "nitrogen" },
])("refuses the observation %o", (change) => {
  const result = evaluate(news2, { ...well, ...change } as unknown, profiles.news2);
  expect(result).toBeInvalidInput(...Object.keys(change).map((name) => `/${name}`));
});
