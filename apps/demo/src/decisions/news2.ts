import { defineDecision } from "@decern/core";
import { typebox } from "@decern/schema";
import {
  aggregate,
  inputType,
  outputType,
  profileType,
  redParameters,
  scoreParameters,
} from "./news2-chart.js";

const well = {
  respirationRate: 16,
  spo2: 97,
  breathing: "air",
  systolicBloodPressure: 122,
  pulse: 72,
  consciousness: "A",
  temperature: 36.8,
};

export const news2Examples = [
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

/**
 * How ill a patient is, by the Royal College of Physicians' National Early Warning Score 2.
 * A demonstration, not a medical device.
 */
export const news2 = defineDecision({
  id: "news2",
  version: "2017.12.0",
  description:
    "National Early Warning Score 2 (Royal College of Physicians, 2017) of an adult, and the required response",
  meta: {
    owner: "acute-medicine",
    domain: "health",
    source: "Royal College of Physicians. National Early Warning Score (NEWS) 2. London: RCP, 2017.",
    notFor: "Children under 16, and pregnancy",
    headline: {
      risk: { low: "Low risk", "low-medium": "Low to medium risk", medium: "Medium risk", high: "High risk" },
      score: "score {}",
    },
    examples: news2Examples,
  },
  inputSchema: typebox(inputType),
  outputSchema: typebox(outputType),
  profileSchema: typebox(profileType),
  rules: [
    {
      id: "high",
      description: "An aggregate score of 7 or more",
      when: (input) => aggregate(input) >= 7,
      emit: (input) => ({
        score: aggregate(input),
        risk: "high",
        response: "Emergency assessment by a team with critical-care competencies",
        monitorEveryHours: 0,
        scores: scoreParameters(input),
      }),
      explain: (input) => `The score of ${aggregate(input)} is 7 or more`,
    },
    {
      id: "medium",
      description: "An aggregate score of 5 or 6",
      when: (input) => aggregate(input) >= 5,
      emit: (input, profile) => ({
        score: aggregate(input),
        risk: "medium",
        response: "Urgent assessment by a clinician with competencies in acute illness",
        monitorEveryHours: profile.monitorEveryHours.medium,
        scores: scoreParameters(input),
      }),
      explain: (input) => `The score of ${aggregate(input)} is 5 or 6`,
    },
    {
      id: "low-medium",
      description: "A low score, but one measurement is far out of its range",
      when: (input) => redParameters(input).length > 0,
      emit: (input, profile) => ({
        score: aggregate(input),
        risk: "low-medium",
        response: "Urgent ward-based review to find the cause",
        monitorEveryHours: profile.monitorEveryHours.lowMedium,
        scores: scoreParameters(input),
      }),
      explain: (input) =>
        `The score of ${aggregate(input)} is below 5, but ${redParameters(input).join(" and ")} alone scores 3`,
    },
    {
      id: "low",
      description: "An aggregate score of 1 to 4",
      when: (input) => aggregate(input) >= 1,
      emit: (input, profile) => ({
        score: aggregate(input),
        risk: "low",
        response: "Assessment by a registered nurse, who decides whether to monitor more often",
        monitorEveryHours: profile.monitorEveryHours.low,
        scores: scoreParameters(input),
      }),
      explain: (input) => `The score of ${aggregate(input)} is 1 to 4, and no parameter scores 3`,
    },
    {
      id: "zero",
      description: "Every measurement is in its normal range",
      when: () => true,
      emit: (input, profile) => ({
        score: 0,
        risk: "low",
        response: "Routine monitoring",
        monitorEveryHours: profile.monitorEveryHours.zero,
        scores: scoreParameters(input),
      }),
      explain: "Every parameter scores 0",
    },
  ],
});
