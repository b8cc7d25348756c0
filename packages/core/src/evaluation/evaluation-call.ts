/** What is to be evaluated. */
export interface EvaluationCall {
  readonly input: unknown;
  /** Left out, the decision's default profile. */
  readonly profile?: unknown;
  /** @default a fresh UUID */
  readonly requestId?: string | undefined;
  /** Whose fault a profile is that breaks its schema: `caller` gets `INVALID_PROFILE`, `host` is a fault. @default caller */
  readonly profileFrom?: "caller" | "host" | undefined;
}
