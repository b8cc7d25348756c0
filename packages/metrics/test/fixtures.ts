import {
  type Clock,
  createEvaluator,
  defineDecision,
  type EvaluationObserver,
  type Logger,
} from "@decern/core";
import parse from "parse-prometheus-text-format";
import { z } from "zod";

/** Three rules, and one input for each outcome. */
export const loan = defineDecision({
  id: "loan",
  version: "1.0.0",
  inputSchema: z.object({ score: z.number() }),
  outputSchema: z.object({ approved: z.boolean() }),
  profileSchema: z.object({ minScore: z.number().default(600) }),
  rules: [
    {
      id: "broken",
      when: (input) => input.score === 13,
      emit: () => {
        throw new Error("unlucky");
      },
    },
    {
      id: "too-low",
      when: (input, profile) => input.score < profile.minScore,
      emit: () => ({ approved: false }),
    },
    { id: "standard", when: (input) => input.score < 1000, emit: () => ({ approved: true }) },
  ],
});

/** Evaluates with a clock that makes each evaluation take `milliseconds`. */
export function evaluatorWith(observer: EvaluationObserver, milliseconds = 2) {
  let ticks = 0;
  const clock: Clock = {
    now: () => 0,
    monotonic: () => {
      ticks += milliseconds;
      return ticks;
    },
  };
  return createEvaluator({ observers: [observer], clock, logger: { error() {} } });
}

export function recordingLogger(): Logger & { readonly lines: unknown[] } {
  const lines: unknown[] = [];
  return { lines, error: (details, message) => void lines.push([details, message]) };
}

/** Lines with samples. Only `\n` ends a line, because label values may contain other line breaks. */
export function sampleLines(page: string): readonly string[] {
  return page.split("\n").filter((line) => line !== "" && !line.startsWith("# "));
}

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples that an independent parser reads, without its own grouping of histograms. */
export function parseSamples(page: string): readonly Sample[] {
  return parse(`${sampleLines(page).join("\n")}\n`).flatMap(({ name, metrics }) =>
    metrics.map(({ labels = {}, value = "NaN" }) => ({ name, labels, value: toNumber(value) })),
  );
}

function toNumber(text: string): number {
  return text === "+Inf" ? Number.POSITIVE_INFINITY : Number(text);
}

/** Label values that have broken exporters before. */
export const zoo: readonly string[] = [
  "plain",
  "",
  " ",
  'quote " inside',
  "back\\slash",
  "ends with \\",
  "line\nbreak",
  "\\n written out",
  '\\" both',
  'x"} 1\nforged_total{a="b',
  "# EOF",
  "{}",
  ",=,",
  "tab\tand\rreturn",
  "line separator \u2028",
  "nul \0",
  "grüße, 漢字, 🎉",
  "constructor",
  "__proto__",
];

/** A decision that uses `loan` twice, the second time through another one. */
const middle = defineDecision({
  id: "middle",
  version: "1.0.0",
  inputSchema: z.object({ score: z.number() }),
  outputSchema: z.object({ approved: z.boolean() }),
  profileSchema: z.object({}),
  uses: [loan],
  rules: [
    {
      id: "r",
      when: (input, _profile, context) => context.evaluate(loan, input).status === "OK",
      emit: () => ({ approved: true }),
    },
  ],
});

export const nested = defineDecision({
  id: "nested",
  version: "1.0.0",
  inputSchema: z.object({ score: z.number() }),
  outputSchema: z.object({ approved: z.boolean() }),
  profileSchema: z.object({}),
  uses: [loan, middle],
  rules: [
    {
      id: "r",
      when: ({ score }, _profile, context) => {
        context.evaluate(loan, { score: score + 1 });
        context.evaluate(middle, { score });
        return true;
      },
      emit: () => ({ approved: true }),
    },
  ],
});
