/** When to answer 503 instead of growing queues. */
export interface OverloadOptions {
  /** Most evaluations at a time. @default no limit */
  readonly maxConcurrent?: number | undefined;
  /** Longest delay of the event loop, in milliseconds. @default no limit */
  readonly maxEventLoopDelayMs?: number | undefined;
  /** Value of `Retry-After`, in seconds. @default 1 */
  readonly retryAfterSeconds?: number | undefined;
}
