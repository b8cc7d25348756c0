import type { DecisionLog, DecisionRecord, RecordPayload, UnreadableRecord } from "@decern/core";
import { canonicalJson } from "@decern/core/tools";
import type { Verification, VerifiedChain } from "@decern/decision-log";
import type { CommandIo } from "../command-line/command.js";
import { writeText } from "../command-line/output.js";
import { grouped, jsonBlock, plural, printable } from "../text/text.js";

/** Limit of remembered hashes. Hosts have a handful of profiles. */
const maxRemembered = 100_000;

/**
 * Writes records as lines. With profiles, the file stands alone: each precedes the first record that uses it, and so does what its
 * decision was made from.
 */
export class RecordLines {
  readonly #log: Pick<DecisionLog, "profile" | "content">;
  readonly #written = { profile: new Set<string>(), content: new Set<string>() };

  readonly #withProfiles: boolean;

  constructor(log: Pick<DecisionLog, "profile" | "content">, withProfiles: boolean) {
    this.#log = log;
    this.#withProfiles = withProfiles;
  }

  async write(record: DecisionRecord): Promise<string> {
    if (!this.#withProfiles) return lineOf(record);
    let text = "";
    for (const hash of profileHashes(record))
      if (isNew(this.#written.profile, hash)) text += await this.#profileLine(hash);
    for (const hash of contentHashes(record))
      if (isNew(this.#written.content, hash)) text += await this.#contentLine(hash);
    return `${text}${lineOf(record)}`;
  }

  async #profileLine(profileHash: string): Promise<string> {
    const profile = await this.#log.profile(profileHash);
    return profile === undefined ? "" : lineOf({ recordVersion: 1, profileHash, profile });
  }

  async #contentLine(contentHash: string): Promise<string> {
    const found = await this.#log.content(contentHash);
    if (found === undefined) return "";
    const { mediaType, document: content } = found;
    return lineOf({ recordVersion: 1, contentHash, content, mediaType });
  }
}

function isNew(written: Set<string>, hash: string): boolean {
  if (written.has(hash)) return false;
  if (written.size === maxRemembered) written.clear();
  written.add(hash);
  return true;
}

/** Profiles that a record names by their hash only. Without a payload it needs none. */
function profileHashes({ profileHash, masked, payload }: DecisionRecord): readonly string[] {
  if (payload === null) return [];
  const hasNone = "profile" in payload || masked.includes("");
  return [...(hasNone ? [] : [profileHash]), ...usedHashes(payload.used)];
}

function usedHashes(used: RecordPayload["used"] = []): readonly string[] {
  return used.flatMap((each) => [...hashesIn(each?.profileHash), ...usedHashes(each?.used)]);
}

/** What the decisions of a record were made from. */
function contentHashes({ contentHash, payload }: DecisionRecord): readonly string[] {
  return [...hashesIn(contentHash), ...usedContents(payload?.used)];
}

function usedContents(used: RecordPayload["used"] = []): readonly string[] {
  return used.flatMap((each) => [...hashesIn(each?.contentHash), ...usedContents(each?.used)]);
}

/** None where it was masked. */
function hashesIn(hash: string | undefined): readonly string[] {
  return hash === undefined ? [] : [hash];
}

/** Canonical, so that the hashes of what was written can be checked again. */
function lineOf(value: object): string {
  return `${canonicalJson(value) ?? JSON.stringify(value)}\n`;
}

/** How many are named at most. */
const maxNamed = 3;

/** Reports on standard error how much was left out because it is not a record. */
export async function tellLeftOut(
  count: number,
  first: readonly UnreadableRecord[],
  { stderr }: Pick<CommandIo, "stderr">,
): Promise<void> {
  if (count === 0) return;
  const what = count === 1 ? "1 line that is not a record" : `${grouped(count)} lines that are not records`;
  const named = first.slice(0, maxNamed).map(({ at, reason }) => `${at}: ${reason}`);
  const list = named.length === 0 ? "" : ` (${named.join("; ")}${count > named.length ? "; …" : ""})`;
  await writeText(stderr, `decern: left out ${what}${printable(list)}\n`);
}

export function showRecord({
  record,
  profile,
}: {
  readonly record: DecisionRecord;
  readonly profile: unknown;
}): string {
  const { decision, matchedRule, masked, payload } = record;
  const facts: readonly (readonly [name: string, value: string | undefined])[] = [
    ["record", record.recordId],
    ["recorded", record.recordedAt],
    ["request", record.requestId],
    ["caller", record.caller],
    ["decision", `${decision.id} ${decision.version}, chosen by ${record.selectedBy}`],
    ["decision set", record.decisionRevision],
    ["shadow of", record.shadowOf],
    ["build", record.build],
    ["outcome", matchedRule === undefined ? record.status : `${record.status}, rule ${matchedRule}`],
    ["took", `${Number((record.durationSeconds * 1e3).toPrecision(3))} ms`],
    ["sample rate", record.sampleRate === 1 ? undefined : String(record.sampleRate)],
    ["subject", record.subject],
    ["masked", masked.length === 0 ? undefined : masked.map((pointer) => pointer || "everything").join(", ")],
    ["profile hash", record.profileHash],
    ["profile set", record.profileRevision],
    ["content hash", record.contentHash],
  ];
  const parts: readonly (readonly [name: string, value: unknown])[] =
    payload === null
      ? [["profile", profile]]
      : [
          ["input", payload.input],
          ["profile", profile],
          ["answer", payload.result],
          ["error", payload.error],
          ["used", payload.used],
        ];
  return [
    ...facts.flatMap(([name, value]) =>
      value === undefined ? [] : `${name.padEnd(13)} ${printable(value)}\n`,
    ),
    ...(payload === null ? ["payload       erased, or never written\n"] : []),
    ...parts.flatMap(([name, value]) => (value === undefined ? [] : `\n${name}\n${jsonBlock(value)}`)),
  ].join("");
}

/** The result of a check, for people to read. */
export function showVerification(found: Verification): string {
  const { records, chains, erasures, problems, problemCount, missingHeads, unrememberedIds } = found;
  const size = `${plural(records, "record")} in ${plural(chains.length, "chain")}`;
  const unnamed = problemCount - problems.length;
  return [
    found.ok ? `No problems found: ${size}\n` : `Problems found: ${size}\n`,
    ...problems.map(
      ({ recordId, at, message }) =>
        `\n  ${printable(recordId ?? "a record that cannot be read")}, at ${printable(at)}\n    ${message}\n`,
    ),
    ...(unnamed > 0 ? [`\n  and ${plural(unnamed, "further problem")}\n`] : []),
    ...missingHeads.map((head) => `\n  no record has the head ${head}: the end of its chain was cut off\n`),
    ...(unrememberedIds > 0
      ? [`\n  too many records to compare all ids: those of ${unrememberedIds} may occur again\n`]
      : []),
    "\n",
    ...chains.map((chain) => showChain("chain", "record", chain)),
    ...erasures.map((chain) => showChain("erasures", "erasure", chain)),
  ].join("");
}

function showChain(
  what: string,
  item: string,
  { name, records, head, withoutPayload, upToHead }: VerifiedChain,
): string {
  const facts = [
    plural(records, item),
    ...(withoutPayload > 0 ? [`${withoutPayload} without payload`] : []),
    `head ${printable(head ?? "none")}`,
    ...unproven(records, upToHead),
  ];
  return `${what} ${printable(name.replace(/^chain /, ""))}: ${facts.join(", ")}\n`;
}

/** What none of the given heads proves. */
function unproven(records: number, upToHead: number | undefined): readonly string[] {
  if (upToHead === undefined || upToHead === records) return [];
  return [upToHead === 0 ? "no head given" : `${records - upToHead} after the given head`];
}
