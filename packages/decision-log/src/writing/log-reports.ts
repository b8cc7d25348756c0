import type { Logger } from "@decern/core";
import { neverThrowing, readable } from "@decern/core/tools";

/** Further events within this time are only counted, in milliseconds. */
const quietMs = 5000;

/** Reports the first event immediately, and later ones together every few seconds. */
class RareWarning {
  readonly #report: (count: number) => void;
  #count = 0;
  #timer: NodeJS.Timeout | undefined = undefined;

  constructor(report: (count: number) => void) {
    this.#report = report;
  }

  add(count: number): void {
    this.#count += count;
    if (this.#timer === undefined) this.tell();
  }

  tell(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#count === 0) return;
    const count = this.#count;
    this.#count = 0;
    this.#report(count);
    this.#timer = setTimeout(() => this.#end(), quietMs);
    this.#timer.unref();
  }

  #end(): void {
    this.#timer = undefined;
    this.tell();
  }
}

/** What a decision log reports. It contains nothing of an input, masked or not. */
export class LogReports {
  #logger: Required<Logger> | undefined;
  #lost = 0;
  #refused = 0;
  readonly #lostWarning = new RareWarning(() => this.#warnOfLost());
  readonly #refusedWarning = new RareWarning((count) => this.#warnOfRefused(count));
  readonly #withoutPayload = new Map<string, RareWarning>();

  constructor(logger: Logger | undefined) {
    this.#logger = logger === undefined ? undefined : neverThrowing(logger);
  }

  get logger(): Required<Logger> {
    return this.#logger ?? neverThrowing();
  }

  use(logger: Required<Logger>): void {
    this.#logger ??= neverThrowing(logger);
  }

  lost(count: number): void {
    this.#lost += count;
    this.#lostWarning.add(count);
  }

  /** @param isDown - whether {@link down} has reported why */
  refused(isDown: boolean): void {
    this.#refused += 1;
    if (!isDown) this.#refusedWarning.add(1);
  }

  down(thrown: unknown, waiting: number): void {
    const details = { ...reasonOf(thrown), waiting };
    this.logger.error(details, "The decision log cannot be written");
  }

  up(): void {
    this.logger.warn({ refused: this.#refused, lost: this.#lost }, "The decision log has recovered");
    this.#refused = 0;
    this.#lostWarning.tell();
  }

  closeFailed(thrown: unknown): void {
    this.logger.error(reasonOf(thrown), "The store of the decision log did not close");
  }

  head(head: string, records: number): void {
    this.logger.info({ head, records }, "Head of the decision log");
  }

  withoutPayload(decisionId: string, what: "mask" | "subject"): void {
    const key = `${what} ${decisionId}`;
    const known = this.#withoutPayload.get(key);
    if (known !== undefined) {
      known.add(1);
      return;
    }
    const warning = new RareWarning((count) =>
      this.logger.warn(
        { decisionId, count },
        what === "mask"
          ? "Records were written without their payload: it could not be masked"
          : "Records were written without their payload: the log's `subject` failed",
      ),
    );
    this.#withoutPayload.set(key, warning);
    warning.add(1);
  }

  end(): void {
    this.#lostWarning.tell();
    this.#refusedWarning.tell();
    for (const warning of this.#withoutPayload.values()) warning.tell();
  }

  #warnOfRefused(refused: number): void {
    this.logger.warn({ refused }, "Calls were refused: the decision log is full or closed");
  }

  #warnOfLost(): void {
    this.logger.warn({ lost: this.#lost }, "Replies were sent without a record");
  }
}

/** Longer messages may quote the data. */
const longestMessage = 200;

/** Only code and message: a database puts whole rows into an error's details. */
function reasonOf(thrown: unknown): { readonly code?: unknown; readonly reason: string } {
  const error = readable(thrown);
  if (typeof error !== "object" || error === null) return { reason: "the store failed" };
  const code: unknown = Reflect.get(error, "code");
  const message: unknown = Reflect.get(error, "message");
  const reason = typeof message === "string" ? message.slice(0, longestMessage) : "the store failed";
  return typeof code === "string" ? { code, reason } : { reason };
}
