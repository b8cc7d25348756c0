import { createHash } from "node:crypto";
import type { StoredChain, StoredRecord } from "@decern/core";
import type { FileChain, FileSet } from "./file-set.js";
import { lineBlocks, newline } from "./lines/line-blocks.js";

/** Every chain of a set of files, with everything that is in it. */
export async function* storedChains(set: FileSet): AsyncGenerator<StoredChain> {
  yield* stored(set, await set.chains());
}

/** The same for chains of erasures. */
export async function* storedErasures(set: FileSet): AsyncGenerator<StoredChain> {
  yield* stored(set, await set.erasures());
}

function* stored(set: FileSet, chains: readonly FileChain[]): Generator<StoredChain> {
  for (const chain of chains) {
    const { name, mayLackFirst } = chain;
    yield { name, mayLackFirst, records: recordsOf(set, chain) };
  }
}

async function* recordsOf(set: FileSet, { files }: FileChain): AsyncGenerator<StoredRecord> {
  for (const file of files) {
    let number = 0;
    const profiles = new Set<string>();
    for await (const { bytes, isTorn } of lineBlocks(file.path, { end: set.endOf(file) })) {
      if (isTorn && file === files.at(-1) && (await set.isBeingWritten(file))) return;
      for (let from = 0; from < bytes.length; ) {
        const newlineAt = bytes.indexOf(newline, from);
        number += 1;
        const text = bytes.toString("utf8", from, newlineAt === -1 ? bytes.length : newlineAt);
        // A line without its newline is damaged, whatever it says.
        const at = `${file.name}:${number}`;
        const profile = rightProfile(text);
        if (isTorn && !set.mayLackLastNewline) yield { at, text: `${text}\u0000` };
        else if (profile === undefined) yield { at, text, profiles };
        else profiles.add(profile);
        from = newlineAt === -1 ? bytes.length : newlineAt + 1;
      }
    }
  }
}

const profileStart = '{"profile":';
const profileLine = /^\{"profile":(.*),"profileHash":"(sha256:[0-9a-f]{64})","recordVersion":1\}$/s;

/** The hash of a line's profile, if the profile fits it. Other lines are records, or damaged. */
function rightProfile(text: string): string | undefined {
  if (!text.startsWith(profileStart)) return undefined;
  const [, profile = "", hash] = profileLine.exec(text) ?? [];
  return `sha256:${createHash("sha256").update(profile).digest("hex")}` === hash ? hash : undefined;
}

/** A host's profile by its hash; `undefined` when no file has it. */
export async function storedProfile(set: FileSet, hash: string): Promise<unknown> {
  const needle = Buffer.from(`,"profileHash":${JSON.stringify(hash)},"recordVersion":1}\n`);
  for (const { files } of await set.chains()) {
    for (const { path } of files.toReversed()) {
      for await (const { bytes } of lineBlocks(path)) {
        const at = bytes.indexOf(needle);
        if (at === -1) continue;
        const text = bytes.toString("utf8", bytes.lastIndexOf(newline, at) + 1, at + needle.length - 1);
        if (rightProfile(text) === undefined) continue;
        const line: { profile?: unknown } = JSON.parse(text);
        return line.profile;
      }
    }
  }
  return undefined;
}
