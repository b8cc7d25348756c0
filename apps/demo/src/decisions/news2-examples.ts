import type { Example } from "./example.js";

const well = {
  respirationRate: 16,
  spo2: 97,
  breathing: "air",
  systolicBloodPressure: 122,
  pulse: 72,
  consciousness: "A",
  temperature: 36.8,
};

export const news2Examples: readonly Example[] = [
  { name: "Well", input: well, expect: { status: "OK", matchedRule: "zero" } },
  {
    name: "A fever",
    input: { ...well, temperature: 38.4, pulse: 96, respirationRate: 21 },
    expect: { status: "OK", matchedRule: "low" },
  },
  {
    name: "New confusion only",
    input: { ...well, consciousness: "C" },
    expect: { status: "OK", matchedRule: "low-medium" },
  },
  {
    name: "A chest infection",
    input: { ...well, respirationRate: 22, spo2: 93, temperature: 38.6 },
    expect: { status: "OK", matchedRule: "medium" },
  },
  {
    name: "Sepsis",
    input: {
      ...well,
      respirationRate: 26,
      spo2: 91,
      breathing: "oxygen",
      systolicBloodPressure: 88,
      pulse: 128,
      temperature: 39.4,
    },
    expect: { status: "OK", matchedRule: "high" },
  },
  {
    name: "Chronic lung disease at its target, on scale 2",
    input: { ...well, spo2: 90, spo2Scale: 2 },
    expect: { status: "OK", matchedRule: "zero" },
  },
  {
    name: "Chronic lung disease, given too much oxygen",
    input: { ...well, spo2: 98, spo2Scale: 2, breathing: "oxygen" },
    expect: { status: "OK", matchedRule: "medium" },
  },
];
