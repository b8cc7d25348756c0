import { Type } from "typebox";

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

export const scoresType = Type.Object(
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
