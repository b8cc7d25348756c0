import { createHash } from "node:crypto";
import type {
  DecisionLog,
  DecisionRecord,
  LogicContent,
  RecordedEvaluation,
  RecordPayload,
  SelectedBy,
  UsedEvaluation,
  UsedRecord,
} from "@decern/core";
import { feature } from "@decern/core/options";
import { canonicalForm, outcomeOf, program } from "@decern/core/tools";
import type { ReplaySource } from "../../src/index.js";

/** What of the next records is not as usual. */
export interface RecordingOptions {
  readonly sampleRate?: number;
  /** JSON Pointers of what to remove. */
  readonly mask?: readonly string[];
  readonly selectedBy?: SelectedBy;
  /** Of a shadow: the id of its call's record. */
  readonly shadowOf?: string;
}

/** A decision log in memory, for tests. Its hashes and salts are made up. */
export class Journal implements ReplaySource {
  readonly records: DecisionRecord[] = [];
  readonly #profiles = new Map<string, unknown>();
  readonly #contents = new Map<string, LogicContent>();
  #options: RecordingOptions = {};

  /** Sets what the records to come are like. */
  with(options: RecordingOptions): this {
    this.#options = options;
    return this;
  }

  /** The log that hosts take. */
  get log(): DecisionLog {
    return {
      [feature]: "decision-log",
      isAvailable: true,
      attach: () => ({
        admit: () => true,
        hasRoomForMany: true,
        choose: () => ({
          recordId: `record-${this.records.length}`,
          sampleRate: this.#options.sampleRate ?? 1,
        }),
        record: (ticket, evaluation) => {
          if (ticket.recordId !== undefined) this.#add(ticket.recordId, ticket.sampleRate, evaluation);
          return undefined;
        },
      }),
      find: () => this.find(),
      profile: (hash) => this.profile(hash),
      content: (hash) => this.content(hash),
      flush: async () => {},
      close: async () => {},
    };
  }

  async *find(): AsyncGenerator<DecisionRecord> {
    // As from a file: nobody shares anything.
    for (const record of this.records) yield JSON.parse(JSON.stringify(record));
  }

  async profile(hash: string): Promise<unknown> {
    return this.#profiles.get(hash);
  }

  async content(hash: string): Promise<LogicContent | undefined> {
    return this.#contents.get(hash);
  }

  forgetContents(): void {
    this.#contents.clear();
  }

  replaceContents(document: unknown): void {
    for (const [hash, content] of this.#contents) this.#contents.set(hash, { ...content, document });
  }

  forgetProfiles(): void {
    this.#profiles.clear();
  }

  #add(recordId: string, sampleRate: number, evaluation: RecordedEvaluation): void {
    const { decision, result, error, input, profile, hasOwnProfile, used, caller } = evaluation;
    const outcome = outcomeOf(decision, { result, error });
    const payload: RecordPayload = {
      salt: "c2FsdHNhbHRzYWx0c2FsdA",
      ...(input === undefined ? {} : { input }),
      ...(hasOwnProfile ? { profile } : {}),
      ...(outcome.error === undefined ? { result: outcome.envelope } : { error: outcome.error }),
      ...(used.length === 0 ? {} : { used: this.#used(used) }),
    };
    const { mask = [], selectedBy = evaluation.selectedBy, shadowOf } = this.#options;
    const written = JSON.parse(JSON.stringify(payload));
    const masked = mask.filter((pointer) => remove(written, pointer));
    const hash = this.#hashOf(profile);
    const { content } = decision[program];
    if (content !== undefined) this.#contents.set(content.hash, content);
    this.records.push({
      recordVersion: 1,
      recordId,
      recordedAt: new Date(evaluation.epochMs).toISOString(),
      requestId: evaluation.requestId,
      ...(caller === undefined ? {} : { caller }),
      decision: { id: decision.id, version: decision.version },
      profileHash: hash,
      ...(decision.contentHash === undefined ? {} : { contentHash: decision.contentHash }),
      selectedBy,
      ...(shadowOf === undefined ? {} : { shadowOf }),
      status: result?.status ?? "ERROR",
      ...(result?.status === "OK" ? { matchedRule: result.meta.matchedRule } : {}),
      durationSeconds: 0,
      sampleRate,
      masked,
      payload: written,
      payloadHash: hash,
      previousHash: null,
      hash,
    });
  }

  #used(used: readonly UsedEvaluation[]): readonly UsedRecord[] {
    return used.map(({ decision, profile, result, used: inner }) => ({
      id: decision.id,
      version: decision.version,
      profileHash: this.#hashOf(profile),
      ...(decision.contentHash === undefined ? {} : { contentHash: decision.contentHash }),
      result,
      ...(inner.length === 0 ? {} : { used: this.#used(inner) }),
    }));
  }

  #hashOf(profile: unknown): string {
    const text = canonicalForm(profile) ?? "null";
    const hash = `sha256:${createHash("sha256").update(text).digest("hex")}`;
    this.#profiles.set(hash, JSON.parse(text));
    return hash;
  }
}

/** Removes what a pointer names, as a decision log does. @returns whether there was anything */
function remove(json: unknown, pointer: string): boolean {
  const tokens = pointer.split("/").slice(1);
  const last = tokens.pop() ?? "";
  let container: unknown = json;
  for (const token of tokens)
    container =
      typeof container === "object" && container !== null ? Reflect.get(container, token) : undefined;
  if (typeof container !== "object" || container === null || !Object.hasOwn(container, last)) return false;
  if (Array.isArray(container)) container[Number(last)] = null;
  else Reflect.deleteProperty(container, last);
  return true;
}
