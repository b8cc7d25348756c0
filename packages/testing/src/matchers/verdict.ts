/** What a matcher answers. */
export interface Verdict {
  readonly pass: boolean;
  message(): string;
  /** Shown as a difference. */
  readonly actual?: unknown;
  readonly expected?: unknown;
}

/**
 * @param expectation - what was asked for, such as `rule "prime" to decide`
 * @param found - what there is
 */
export function verdict(pass: boolean, expectation: string, found: () => string): Verdict {
  return { pass, message: () => `${pass ? "did not expect" : "expected"} ${expectation}\n${found()}` };
}
