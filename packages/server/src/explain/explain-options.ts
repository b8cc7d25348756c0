/** How `POST /decisions/:id/explain` searches. */
export interface ExplainOptions {
  /** How many evaluations one request may cost at most. @default 5000 */
  readonly maxEvaluations?: number | undefined;
}

const defaultBudget = 5000;

/** The budget of each request; `undefined` where nothing is explained. */
export function explainBudget(explain: boolean | ExplainOptions): number | undefined {
  if (explain === false) return undefined;
  return (explain === true ? undefined : explain.maxEvaluations) ?? defaultBudget;
}
