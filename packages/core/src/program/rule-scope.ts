import type { RuleContext } from "../definition/rule-context.js";

/** The context of one evaluation. What costs time is made when a rule asks for it. */
export class RuleScope implements RuleContext {
  readonly #epochMs: number;
  #requestId: string | undefined;

  constructor(epochMs: number, requestId: string | undefined) {
    this.#epochMs = epochMs;
    this.#requestId = requestId;
  }

  /** Milliseconds since the Unix epoch. */
  get epochMs(): number {
    return this.#epochMs;
  }

  /** A new `Date` each time: a rule that changes it changes nothing. */
  get now(): Date {
    return new Date(this.#epochMs);
  }

  get requestId(): string {
    this.#requestId ??= crypto.randomUUID();
    return this.#requestId;
  }
}
