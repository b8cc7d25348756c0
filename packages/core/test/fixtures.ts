import { z } from "zod";
import {
  type Clock,
  type Decision,
  defineDecision,
  type EvaluationEvent,
  type Logger,
} from "../src/index.js";

/** A loan decision with three rules, which covers every outcome. A score of 13 makes a rule throw, and 14 an invalid output. */
export const loan = defineDecision({
  id: "loan",
  version: "1.2.0",
  inputSchema: z.object({ score: z.number().int(), note: z.string().default("none") }),
  outputSchema: z.object({ approved: z.boolean(), rate: z.number() }),
  profileSchema: z.object({ minScore: z.number().default(600) }),
  rules: [
    {
      id: "unlucky",
      when: (input) => {
        if (input.score === 13) throw new Error("secret of the rule");
        return input.score === 14;
      },
      emit: () => JSON.parse('{"approved":"yes"}'),
    },
    {
      id: "too-low",
      when: (input, profile) => input.score < profile.minScore,
      emit: () => ({ approved: false, rate: 0 }),
      explain: (input, profile) => `Score ${input.score} is below ${profile.minScore}`,
    },
    {
      id: "standard",
      when: (input) => input.score < 1000,
      emit: () => ({ approved: true, rate: 4.9 }),
      explain: "Meets every criterion",
    },
  ],
});

/** An access check. */
export const access = defineDecision({
  id: "access",
  version: "1.0.0",
  inputSchema: z.object({ role: z.string() }),
  outputSchema: z.object({ allowed: z.boolean() }),
  profileSchema: z.object({}),
  rules: [
    { id: "admin", when: (input) => input.role === "admin", emit: () => ({ allowed: true }) },
    { id: "guest", when: (input) => input.role === "guest", emit: () => ({ allowed: false }) },
  ],
});

export const decisions: readonly Decision[] = [loan, access];

/** A clock with a fixed time of day, whose monotonic time advances 250 ms per reading. */
export function fixedClock(iso = "2026-03-01T12:00:00.000Z"): Clock {
  let ticks = 0;
  return {
    now: () => Date.parse(iso),
    monotonic: () => {
      ticks += 250;
      return ticks;
    },
  };
}

export function recordingLogger(): Logger & {
  readonly lines: { details: Readonly<Record<string, unknown>>; message: string }[];
} {
  const lines: { details: Readonly<Record<string, unknown>>; message: string }[] = [];
  return { lines, error: (details, message) => void lines.push({ details, message }) };
}

export function recordingObserver(): {
  readonly events: EvaluationEvent[];
  onEvaluated(event: EvaluationEvent): void;
} {
  const events: EvaluationEvent[] = [];
  return { events, onEvaluated: (event) => void events.push(event) };
}
