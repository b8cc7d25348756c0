import type { DecernError, Decision, Result, UsedEvaluation } from "@decern/core";
import { checkedOptions } from "@decern/core/options";
import { neverThrowing } from "@decern/core/tools";
import { type DecisionLogOptions, drafterOf, payloadRows } from "./options.js";
import { DerivedBytes } from "./record/ids-and-salts.js";
import { keptLine } from "./record/payload-text.js";
import { sealRecord } from "./record/seal.js";
import { ByteWriter } from "./text/hashing.js";

/** Options of `recordEncoder`, as those of `decisionLog`. */
export type RecordEncoderOptions<Decisions extends readonly Decision[] = readonly Decision[]> = Pick<
  DecisionLogOptions<Decisions>,
  "mask" | "subject"
>;

/** Writes records for `bulkFile` of `@decern/bulk`. Each file of its output is a chain of its own. */
export interface RecordEncoder {
  readonly name: "record";
  encodePart(part: EncodedRecords): {
    encode(answer: EncodedAnswer): string;
    refuse(): undefined;
  };
}

interface EncodedRecords {
  readonly epochMs: number;
  readonly build: string | undefined;
  readonly secret: Uint8Array;
}

interface EncodedAnswer {
  readonly line: number;
  readonly decision: Decision;
  readonly input: unknown;
  readonly profile: unknown;
  readonly used: readonly UsedEvaluation[];
  readonly result: Result | undefined;
  readonly error: DecernError | undefined;
}

/**
 * Makes the encoder with which `bulkFile` of `@decern/bulk` writes a record for each input. Ids and salts derive from the job's
 * secret, so a job that continues writes the same bytes. A line that isn't JSON was not evaluated, and has no record.
 *
 * @throws DecernError `INVALID_OPTIONS` with every problem
 *
 * @example
 * ```ts
 * serveBulkThread({ decision: loanApproval, encoders: [recordEncoder()] });
 * ```
 */
export function recordEncoder<Decisions extends readonly Decision[] = readonly Decision[]>(
  options: RecordEncoderOptions<Decisions> = {},
): RecordEncoder {
  const settings = checkedOptions("recordEncoder", options, payloadRows);
  return {
    name: "record",
    encodePart({ epochMs, build, secret }) {
      const drafter = drafterOf({ build, ...settings }, (decisionId, what) =>
        neverThrowing().error({ decisionId }, `A record has no payload, because its ${what} failed`),
      );
      const derived = new DerivedBytes(secret);
      const lines = new ByteWriter();
      const written = new Set<string>();
      let head: string | null = null;
      return {
        encode({ line, ...answer }) {
          const recordId = derived.begin(line, epochMs);
          const draft = drafter.draft(recordId, 1, {
            ...answer,
            requestId: String(line),
            epochMs,
            // It would differ from run to run.
            durationSeconds: 0,
            caller: undefined,
            traceparent: undefined,
            selectedBy: "default",
            hasOwnProfile: false,
          });
          lines.clear();
          for (const document of draft.kept) {
            if (written.has(document.key)) continue;
            written.add(document.key);
            lines.text(keptLine(document));
          }
          head = sealRecord(draft, head, lines, derived).hash;
          // Without the last line break.
          return lines.bytes.toString("utf8", 0, lines.length - 1);
        },
        refuse: () => undefined,
      };
    },
  };
}
