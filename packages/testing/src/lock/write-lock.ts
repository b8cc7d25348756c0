import type { DecisionLock, LockedDecision, LockedVersion } from "./lock.js";

/** Writes a lock file: an input a line, so that a review shows which were added. */
export function writeLock({ lockVersion, now, decisions }: DecisionLock): string {
  return `${object(0, [
    member("lockVersion", JSON.stringify(lockVersion)),
    member("now", JSON.stringify(now)),
    member(
      "decisions",
      object(
        1,
        Object.entries(decisions).map(([id, decision]) => member(id, writeDecision(decision))),
      ),
    ),
  ])}\n`;
}

function writeDecision({ inputs, versions }: LockedDecision): string {
  return object(2, [
    member("inputs", list(3, inputs)),
    member(
      "versions",
      object(
        3,
        Object.entries(versions).map(([version, locked]) => member(version, writeVersion(locked))),
      ),
    ),
  ]);
}

function writeVersion({ profileHash, usedProfileHashes, hash, envelopes }: LockedVersion): string {
  return object(4, [
    member("profileHash", JSON.stringify(profileHash)),
    ...(usedProfileHashes === undefined
      ? []
      : [member("usedProfileHashes", JSON.stringify(usedProfileHashes))]),
    member("hash", JSON.stringify(hash)),
    member("envelopes", list(5, envelopes)),
  ]);
}

function member(name: string, text: string): string {
  return `${JSON.stringify(name)}: ${text}`;
}

function object(depth: number, members: readonly string[]): string {
  return block(depth, "{", members, "}");
}

function list(depth: number, items: readonly unknown[]): string {
  return block(
    depth,
    "[",
    items.map((item) => JSON.stringify(item)),
    "]",
  );
}

function block(depth: number, open: string, lines: readonly string[], close: string): string {
  if (lines.length === 0) return open + close;
  const indent = "  ".repeat(depth);
  return `${open}\n${lines.map((line) => `${indent}  ${line}`).join(",\n")}\n${indent}${close}`;
}
