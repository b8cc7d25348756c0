import { type Static, Type } from "typebox";

export const inputType = Type.Object(
  {
    respirationRate: Type.Integer({
      title: "Respiration rate",
      description: "Breaths per minute",
      minimum: 0,
      maximum: 100,
      examples: [16],
    }),
    spo2: Type.Integer({
      title: "SpO₂",
      description: "Oxygen saturation, in per cent",
      minimum: 0,
      maximum: 100,
      examples: [97],
    }),
    spo2Scale: Type.Optional(
      Type.Enum([1, 2], {
        type: "integer",
        title: "SpO₂ scale",
        description:
          "2 only if a clinician has set a target of 88 to 92 %, as in hypercapnic respiratory failure",
        default: 1,
      }),
    ),
    breathing: Type.Enum(["air", "oxygen"], { type: "string", title: "Air or oxygen", examples: ["air"] }),
    systolicBloodPressure: Type.Integer({
      title: "Systolic blood pressure",
      description: "In mmHg",
      minimum: 0,
      maximum: 350,
      examples: [122],
    }),
    pulse: Type.Integer({
      title: "Pulse",
      description: "Beats per minute",
      minimum: 0,
      maximum: 350,
      examples: [72],
    }),
    consciousness: Type.Enum(["A", "C", "V", "P", "U"], {
      type: "string",
      title: "Consciousness",
      description: "ACVPU: alert, new confusion, responds to voice, responds to pain, unresponsive",
      examples: ["A"],
    }),
    temperature: Type.Number({
      title: "Temperature",
      description: "In °C, rounded to one decimal as on the chart",
      minimum: 20,
      maximum: 50,
      examples: [36.8],
    }),
  },
  { title: "Observation", additionalProperties: false },
);

const score = (title: string) => Type.Enum([0, 1, 2, 3], { type: "integer", title });

const scoresType = Type.Object(
  {
    respirationRate: score("Respiration rate"),
    spo2: score("SpO₂"),
    breathing: score("Air or oxygen"),
    systolicBloodPressure: score("Systolic blood pressure"),
    pulse: score("Pulse"),
    consciousness: score("Consciousness"),
    temperature: score("Temperature"),
  },
  { title: "Score of each parameter", additionalProperties: false },
);

export const outputType = Type.Object(
  {
    score: Type.Integer({ title: "Aggregate score", minimum: 0, maximum: 20 }),
    risk: Type.Enum(["low", "low-medium", "medium", "high"], { type: "string", title: "Clinical risk" }),
    response: Type.String({ title: "Response" }),
    monitorEveryHours: Type.Number({
      title: "Maximum hours until the next observation",
      description: "0 means continuous monitoring",
      minimum: 0,
    }),
    scores: scoresType,
  },
  { title: "National Early Warning Score 2", additionalProperties: false },
);

const hours = (title: string, maximum: number) =>
  Type.Number({ title, exclusiveMinimum: 0, maximum, examples: [maximum] });

export const profileType = Type.Object(
  {
    monitorEveryHours: Type.Object(
      {
        zero: hours("Score 0", 12),
        low: hours("Score 1 to 4", 6),
        lowMedium: hours("3 in one parameter", 1),
        medium: hours("Score 5 to 6", 1),
      },
      {
        title: "Hours between observations",
        description: "A ward may observe more often than the College requires, never less",
        additionalProperties: false,
      },
    ),
  },
  { title: "Ward policy", additionalProperties: false },
);

type Observation = Static<typeof inputType>;

type News2Scores = Static<typeof scoresType>;

type Score = News2Scores[keyof News2Scores];

/** One cell of the chart: the score of every value up to and including `upTo` that no earlier band covers. */
interface Band {
  readonly upTo: number;
  readonly score: Score;
}

const above = Number.POSITIVE_INFINITY;

/**
 * Chart 1 of "National Early Warning Score (NEWS) 2", Royal College of Physicians, London 2017.
 * Temperatures are in tenths of a degree: the chart has one decimal.
 */
const chart = {
  respirationRate: [
    { upTo: 8, score: 3 },
    { upTo: 11, score: 1 },
    { upTo: 20, score: 0 },
    { upTo: 24, score: 2 },
    { upTo: above, score: 3 },
  ],
  spo2Scale1: [
    { upTo: 91, score: 3 },
    { upTo: 93, score: 2 },
    { upTo: 95, score: 1 },
    { upTo: above, score: 0 },
  ],
  spo2Scale2OnAir: [
    { upTo: 83, score: 3 },
    { upTo: 85, score: 2 },
    { upTo: 87, score: 1 },
    { upTo: above, score: 0 },
  ],
  spo2Scale2OnOxygen: [
    { upTo: 83, score: 3 },
    { upTo: 85, score: 2 },
    { upTo: 87, score: 1 },
    { upTo: 92, score: 0 },
    { upTo: 94, score: 1 },
    { upTo: 96, score: 2 },
    { upTo: above, score: 3 },
  ],
  systolicBloodPressure: [
    { upTo: 90, score: 3 },
    { upTo: 100, score: 2 },
    { upTo: 110, score: 1 },
    { upTo: 219, score: 0 },
    { upTo: above, score: 3 },
  ],
  pulse: [
    { upTo: 40, score: 3 },
    { upTo: 50, score: 1 },
    { upTo: 90, score: 0 },
    { upTo: 110, score: 1 },
    { upTo: 130, score: 2 },
    { upTo: above, score: 3 },
  ],
  temperatureTenths: [
    { upTo: 350, score: 3 },
    { upTo: 360, score: 1 },
    { upTo: 380, score: 0 },
    { upTo: 390, score: 1 },
    { upTo: above, score: 2 },
  ],
} as const satisfies Record<string, readonly Band[]>;

function read(bands: readonly Band[], value: number): Score {
  return bands.find(({ upTo }) => value <= upTo)?.score ?? 0;
}

function spo2Bands({ spo2Scale, breathing }: Observation): readonly Band[] {
  if (spo2Scale !== 2) return chart.spo2Scale1;
  return breathing === "oxygen" ? chart.spo2Scale2OnOxygen : chart.spo2Scale2OnAir;
}

/** Scores each of the seven parameters. */
export function scoreParameters(observation: Observation): News2Scores {
  return {
    respirationRate: read(chart.respirationRate, observation.respirationRate),
    spo2: read(spo2Bands(observation), observation.spo2),
    breathing: observation.breathing === "oxygen" ? 2 : 0,
    systolicBloodPressure: read(chart.systolicBloodPressure, observation.systolicBloodPressure),
    pulse: read(chart.pulse, observation.pulse),
    consciousness: observation.consciousness === "A" ? 0 : 3,
    temperature: read(chart.temperatureTenths, Math.round(observation.temperature * 10)),
  };
}

/** The aggregate score, 0 to 20. */
export function aggregate(observation: Observation): number {
  return Object.values(scoreParameters(observation)).reduce<number>((sum, score) => sum + score, 0);
}

/** Names of the parameters that score 3, the chart's red ones. */
export function redParameters(observation: Observation): string[] {
  return Object.entries(scoreParameters(observation)).flatMap(([name, score]) => (score === 3 ? [name] : []));
}
