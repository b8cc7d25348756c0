/**
 * A program that isn't an ordered list of TypeScript rules, such as a decision table: what `defineDecision` takes as `logic`.
 * Everything in it is synchronous and pure. Errors that its functions throw are reported as `EVALUATION_FAILED`.
 */
export interface Logic {
  readonly content: LogicContent;
  /** In the order of the document; ids are unique. */
  readonly rules: readonly LogicRule[];
  /**
   * Prepares the evaluation under one profile, which has passed validation. Called once for a host's profile, and for each profile
   * that a caller sends: it must not cost more than the profile's size.
   */
  bind(profile: unknown): BoundLogic;
  /**
   * Makes the program of another document under the same contract, such as an earlier table that a decision log has. It throws a
   * DecernError for a document that does not fit.
   */
  from?(document: unknown): Logic;
}

/** The document that a program was made from. Records name it by its hash, and the decision log keeps it once. */
export interface LogicContent {
  /** `sha256:` and 64 hexadecimal digits, over the canonical JSON (RFC 8785) of `document`. */
  readonly hash: string;
  readonly mediaType: string;
  /** JSON data. */
  readonly document: unknown;
}

export interface LogicRule {
  readonly id: string;
  /** What the rule is for, in a sentence. */
  readonly description?: string | undefined;
}

/** What a program knows of a call besides its input and profile. */
export interface LogicContext {
  /** The instant of `meta.evaluatedAt`. */
  readonly now: Date;
  readonly requestId: string;
  readonly caller: string | undefined;
}

/** A program under one profile. It must not write to inputs. */
export interface BoundLogic {
  /** @returns `undefined` if nothing was hit and there is no default */
  decide(input: unknown, context: LogicContext): LogicDecision | undefined;
  /** Every rule that an input meets, whichever of them decide. */
  hits(input: unknown, context: LogicContext): readonly LogicHit[];
  /** One for each field that the result may depend on; empty where these aren't known. */
  readonly thresholds: readonly LogicThreshold[];
  /**
   * Inputs for tests and locks, which pass validation: as far as there are such, one that each rule decides, and after those the
   * inputs next to where rules begin and end. Made while they are read: there may be very many.
   *
   * @param now - the instant of the calls
   */
  witnesses?(now: Date): Iterable<unknown>;
}

export interface LogicDecision {
  /** Validated against the output schema. */
  readonly emitted: unknown;
  /** At least one, in the order of the result: the first is `meta.matchedRule`. */
  readonly hits: readonly LogicHit[];
  /** Names the policy and the hits. */
  readonly explanation: string;
  /** What the parts of the program came to, as JSON, by their names. Asked for only by pages that show them. */
  readonly parts?: (() => Readonly<Record<string, unknown>>) | undefined;
}

export interface LogicHit {
  readonly ruleId: string;
  readonly explanation: string;
}

/** Where the result may change along one field of the input. */
export interface LogicThreshold {
  /** JSON Pointer into the input. */
  readonly path: string;
  /** The values at which it may change, in ascending order if they have one. */
  readonly values: readonly unknown[];
  /** Whether nothing else in the program depends on the field. */
  readonly isComplete: boolean;
}
