/** The reasons that OFREP has and that apply here. It has none for a flag that no rule decides. */
export const reasons = ["TARGETING_MATCH", "UNKNOWN"] as const;

/** The codes of OpenFeature that a service uses. */
export const errorCodes = [
  "FLAG_NOT_FOUND",
  "GENERAL",
  "INVALID_CONTEXT",
  "PARSE_ERROR",
  "TARGETING_KEY_MISSING",
] as const;

export type FlagErrorCode = (typeof errorCodes)[number];

/** The answer for one flag, as it is sent. */
type FlagAnswer = FlagSuccess | FlagFailure;

interface FlagSuccess {
  readonly key: string;
  readonly value?: unknown;
  readonly variant?: string | undefined;
  readonly reason: (typeof reasons)[number];
  readonly metadata: Readonly<Record<string, string>>;
}

interface FlagFailure {
  readonly key: string;
  readonly errorCode: FlagErrorCode;
  readonly errorDetails: string;
}

/** An answer, and what a reply that has only this one looks like. */
export interface EvaluatedFlag {
  readonly status: number;
  readonly answer: FlagAnswer;
  /** Of the evaluation, such as the id of its record. */
  readonly headers: Readonly<Record<string, string>> | undefined;
}
