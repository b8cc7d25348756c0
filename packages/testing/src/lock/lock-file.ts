import { DecernError, type Problem } from "@decern/core";
import { escapePointer, isJsonObject } from "@decern/core/schema";
import {
  type DecisionLock,
  hashOf,
  type LockedDecision,
  type LockedEnvelope,
  type LockedVersion,
} from "./lock.js";

/**
 * Reads the contents of a lock file.
 *
 * @throws DecernError `BAD_REQUEST` for anything else, and for a lock that was edited by hand or merged wrongly
 */
export function readLock(text: string): DecisionLock {
  return new Reader().read(text);
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Collects all problems, so that they are reported together. */
class Reader {
  readonly #problems: Problem[] = [];

  read(text: string): DecisionLock {
    const json = parse(text);
    if (!isJsonObject(json)) throw refused([{ path: "", message: "must be an object" }]);
    const { lockVersion, now, decisions } = json;
    // Nothing else of a later format can be judged.
    if (lockVersion !== 1)
      throw refused([{ path: "/lockVersion", message: "must be 1, the only one that this version knows" }]);
    const isInstant = typeof now === "string" && Number.isFinite(Date.parse(now));
    if (!isInstant) this.#refuse("/now", "must be an instant, as ISO 8601");
    const lock: DecisionLock = {
      lockVersion,
      now: isInstant ? now : "",
      decisions: this.#record(decisions, "/decisions", (value, path) => this.#decision(value, path)),
    };
    if (this.#problems.length > 0) throw refused(this.#problems);
    return lock;
  }

  #decision(value: unknown, path: string): LockedDecision {
    const { inputs, versions } = this.#object(value, path);
    const listed = this.#list(inputs, `${path}/inputs`);
    return {
      inputs: listed,
      versions: this.#record(versions, `${path}/versions`, (version, place) =>
        this.#version(version, place, listed.length),
      ),
    };
  }

  #version(value: unknown, path: string, inputs: number): LockedVersion {
    const version = this.#object(value, path);
    const envelopes = this.#list(version["envelopes"], `${path}/envelopes`).map(
      (envelope, index): LockedEnvelope => {
        if (isEnvelope(envelope)) return envelope;
        this.#refuse(`${path}/envelopes/${index}`, "must be an outcome and a digest");
        return ["", ""];
      },
    );
    const hash = this.#text(version["hash"], `${path}/hash`);
    if (envelopes.length > inputs)
      this.#refuse(`${path}/envelopes`, `has ${envelopes.length} entries for ${inputs} inputs`);
    else if (hash !== hashOf(envelopes))
      this.#refuse(`${path}/hash`, "does not belong to the envelopes: they were edited, or merged wrongly");
    const { usedProfileHashes } = version;
    return {
      profileHash: this.#text(version["profileHash"], `${path}/profileHash`),
      ...(usedProfileHashes === undefined
        ? {}
        : {
            usedProfileHashes: this.#record(usedProfileHashes, `${path}/usedProfileHashes`, (used, place) =>
              this.#text(used, place),
            ),
          }),
      hash,
      envelopes,
    };
  }

  #record<Value>(
    value: unknown,
    path: string,
    read: (value: unknown, path: string) => Value,
  ): Readonly<Record<string, Value>> {
    return Object.fromEntries(
      Object.entries(this.#object(value, path)).map(([name, member]) => [
        name,
        read(member, `${path}/${escapePointer(name)}`),
      ]),
    );
  }

  #object(value: unknown, path: string): JsonObject {
    if (isJsonObject(value)) return value;
    this.#refuse(path, "must be an object");
    return {};
  }

  #list(value: unknown, path: string): readonly unknown[] {
    if (Array.isArray(value)) return value;
    this.#refuse(path, "must be a list");
    return [];
  }

  #text(value: unknown, path: string): string {
    if (typeof value === "string") return value;
    this.#refuse(path, "must be a string");
    return "";
  }

  #refuse(path: string, message: string): void {
    this.#problems.push({ path, message });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = /^(<{7}|={7}|>{7}) ?/m.test(text)
      ? "has conflicts of a merge: take one side, and lock again"
      : "is not JSON";
    throw refused([{ path: "", message }], cause);
  }
}

/** @param cause - what parsing threw */
function refused(problems: readonly Problem[], cause?: unknown): DecernError {
  return new DecernError("BAD_REQUEST", { detail: "the lock file", problems, cause });
}

function isEnvelope(value: unknown): value is LockedEnvelope {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [outcome, digest]: readonly unknown[] = value;
  return typeof outcome === "string" && typeof digest === "string" && /^[0-9a-f]{16}$/.test(digest);
}

/** Writes a lock file: an input a line, so that a review shows which were added. */
export function writeLock(lock: DecisionLock): string {
  return `${block(lock, 0)}\n`;
}

/** The members of a version are at this depth. */
const versionDepth = 5;

/** Objects down to a version have a line for each member, lists one for each item. Everything else is on one line. */
function block(value: unknown, depth: number): string {
  const lines = Array.isArray(value)
    ? value.map((item: unknown) => JSON.stringify(item))
    : isJsonObject(value) && depth < versionDepth
      ? Object.entries(value).flatMap(([name, member]) =>
          member === undefined ? [] : `${JSON.stringify(name)}: ${block(member, depth + 1)}`,
        )
      : undefined;
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (lines === undefined) return JSON.stringify(value);
  if (lines.length === 0) return `${open}${close}`;
  const indent = "  ".repeat(depth);
  return `${open}\n${lines.map((line) => `${indent}  ${line}`).join(",\n")}\n${indent}${close}`;
}
