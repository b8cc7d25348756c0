/** When to refuse requests instead of letting queues grow. */
export interface OverloadOptions {
  /** Maximum number of evaluations at a time. @default no limit */
  readonly maxConcurrent?: number | undefined;
  /** Maximum delay of the event loop, in milliseconds. @default no limit */
  readonly maxEventLoopDelayMs?: number | undefined;
  /** Value of `Retry-After`, in seconds. @default 1 */
  readonly retryAfterSeconds?: number | undefined;
}
