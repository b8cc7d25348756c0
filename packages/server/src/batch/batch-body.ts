import { DecernError } from "@decern/core";
import { parseJsonText } from "@decern/core/host";
import { hasForbiddenKey } from "@decern/core/tools";
import { isRecord } from "../is-record.js";
import type { CallBody } from "../requests/sent-profile.js";

/** The body of a batch in JSON. */
export class BatchBody {
  /** Everything but the inputs. */
  readonly rest: CallBody;
  readonly inputs: readonly unknown[];
  readonly #isSuspicious: boolean;

  constructor(rest: CallBody, inputs: readonly unknown[], isSuspicious: boolean) {
    this.rest = rest;
    this.inputs = inputs;
    this.#isSuspicious = isSuspicious;
  }

  /**
   * Reads a body. A forbidden key in an input is that input's affair.
   *
   * @returns `undefined` where there are no inputs
   * @throws DecernError `INVALID_JSON`, or `FORBIDDEN_KEY` for a key elsewhere
   */
  static parse(text: string): BatchBody | undefined {
    const { value, isSuspicious } = parseJsonText(text);
    const { inputs, ...rest } = isRecord(value) ? value : {};
    if (isSuspicious && hasForbiddenKey(Array.isArray(inputs) ? rest : value)) {
      throw new DecernError("FORBIDDEN_KEY");
    }
    return Array.isArray(inputs) ? new BatchBody(rest, inputs, isSuspicious) : undefined;
  }

  /** @throws DecernError `FORBIDDEN_KEY` */
  check(input: unknown): void {
    if (this.#isSuspicious && hasForbiddenKey(input)) throw new DecernError("FORBIDDEN_KEY");
  }
}
