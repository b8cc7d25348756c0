import { builtIns } from "../../src/builtins/all.js";
import { Compiler } from "../../src/feel/compile.js";
import { Frame, Scope } from "../../src/feel/scope.js";
import { defaultLimits, type Limits, Run } from "../../src/values/run.js";
import { valueText } from "../../src/values/text.js";
import type { FeelValue } from "../../src/values/value.js";

/** Evaluates an expression at noon of 2026-11-24 UTC. */
export function evaluated(
  text: string,
  variables: Readonly<Record<string, FeelValue>> = {},
  limits: Partial<Limits> = {},
): { readonly value: FeelValue; readonly run: Run } {
  const names = Object.keys(variables);
  const scope = Scope.root(
    names.map((name) => ({ name })),
    builtIns,
  );
  const expression = new Compiler("test").expression(text, scope);
  const run = new Run({ now: new Date("2026-11-24T12:00:00Z") }, { ...defaultLimits, ...limits });
  return { value: expression(new Frame(undefined, Object.values(variables), run)), run };
}

/** The value of an expression, as FEEL writes it; a text is in quotes. */
export function feel(text: string, variables: Readonly<Record<string, FeelValue>> = {}): string {
  const { value, run } = evaluated(text, variables);
  return typeof value === "string" ? JSON.stringify(value) : (valueText(value, run) ?? "null");
}
