import { createHash } from "node:crypto";
import type { StoredChain, StoredRecord } from "@decern/core";
import { type LaneFile, listLanes } from "./lanes/lane-file.js";
import { isLaneHeld } from "./lanes/lane-lock.js";
import type { WrittenFile } from "./lanes/lane-writer.js";
import { lineBlocks, newline } from "./lines/line-blocks.js";

/** Every lane of a directory, with everything that is in its files. */
export async function* storedChains(
  directory: string,
  mayLackFirst: boolean,
  written: () => WrittenFile | undefined,
): AsyncGenerator<StoredChain> {
  for (const [lane, files] of await listLanes(directory)) {
    yield { name: String(lane), mayLackFirst, records: recordsOf(directory, files, written) };
  }
}

async function* recordsOf(
  directory: string,
  files: readonly LaneFile[],
  written: () => WrittenFile | undefined,
): AsyncGenerator<StoredRecord> {
  for (const file of files) {
    const own = written();
    const end = own?.name === file.name ? own.length : undefined;
    let number = 0;
    for await (const { bytes, isTorn } of lineBlocks(file.path, { end })) {
      if (isTorn && end === undefined && file === files.at(-1) && (await isLaneHeld(directory, file.lane))) {
        return;
      }
      for (let from = 0; from < bytes.length; ) {
        const newlineAt = bytes.indexOf(newline, from);
        number += 1;
        const text = bytes.toString("utf8", from, newlineAt === -1 ? bytes.length : newlineAt);
        // A line without its newline is damaged, whatever it says.
        const at = `${file.name}:${number}`;
        if (isTorn) yield { at, text: `${text}\u0000` };
        else if (!isRightProfile(text)) yield { at, text };
        from = newlineAt === -1 ? bytes.length : newlineAt + 1;
      }
    }
  }
}

const profileStart = '{"profile":';
const profileLine = /^\{"profile":(.*),"profileHash":"(sha256:[0-9a-f]{64})","recordVersion":1\}$/s;

/** Whether a line has a profile that fits its hash. Other lines are records, or damaged. */
function isRightProfile(text: string): boolean {
  if (!text.startsWith(profileStart)) return false;
  const [, profile = "", hash] = profileLine.exec(text) ?? [];
  return `sha256:${createHash("sha256").update(profile).digest("hex")}` === hash;
}

/** A host's profile by its hash; `undefined` when no file has it. */
export async function storedProfile(directory: string, hash: string): Promise<unknown> {
  const needle = Buffer.from(`,"profileHash":${JSON.stringify(hash)},"recordVersion":1}\n`);
  for (const files of (await listLanes(directory)).values()) {
    for (const { path } of files.toReversed()) {
      for await (const { bytes } of lineBlocks(path)) {
        const at = bytes.indexOf(needle);
        if (at === -1) continue;
        const text = bytes.toString("utf8", bytes.lastIndexOf(newline, at) + 1, at + needle.length - 1);
        if (!isRightProfile(text)) continue;
        const line: { profile?: unknown } = JSON.parse(text);
        return line.profile;
      }
    }
  }
  return undefined;
}
