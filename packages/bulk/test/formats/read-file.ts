import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DecernError, type Decision, defineDecision } from "@decern/core";
import { onTestFinished } from "vitest";
import { z } from "zod";
import type { InputFormat } from "../../src/formats/input-format.js";

/** One line of output: an input, or why there is none. */
export interface ReadLine {
  readonly line: number;
  readonly input?: unknown;
  readonly error?: string;
}

export interface ReadOptions {
  readonly schema?: z.ZodType;
  readonly partBytes?: number;
  readonly blockBytes?: number;
  readonly maxLine?: number;
}

/** A folder that is deleted after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "decern-bulk-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function decisionOf(schema: z.ZodType): Decision {
  return defineDecision({
    id: "any",
    version: "1",
    inputSchema: schema,
    outputSchema: z.object({}),
    profileSchema: z.object({}),
    rules: [{ id: "any", when: () => true, emit: () => ({}) }],
  });
}

/** Reads a file as a job does: scanned in blocks, and then part by part. */
export async function readParts(format: InputFormat, path: string, options: ReadOptions = {}) {
  const { schema = z.unknown(), partBytes = 1 << 20, blockBytes = 1 << 16, maxLine = 1 << 20 } = options;
  const scanner = format.scanner({ path, partBytes });
  const bytes = readFileSync(path);
  for (let at = 0; at < bytes.length; at += blockBytes) scanner.push(bytes.subarray(at, at + blockBytes));
  const { parts, details } = await scanner.end();
  const reader = await format.open({
    path,
    maxLine,
    // As a manifest gives it back.
    details: JSON.parse(JSON.stringify(details ?? null)),
    decision: decisionOf(schema),
  });
  const lines: ReadLine[] = [];
  for (const part of parts) {
    const before = lines.length;
    await reader.read(part, {
      json: (line, text) => lines.push({ line, input: JSON.parse(text) }),
      value: (line, input) => lines.push({ line, input }),
      refuse: (line, error: DecernError) => lines.push({ line, error: error.message }),
      flush: async () => {},
    });
    const count = lines.length - before;
    if (count !== part.records) throw new Error(`a part of ${part.records} records has ${count}`);
    if (lines[before]?.line !== part.firstLine) throw new Error(`a part begins at ${lines[before]?.line}`);
  }
  await reader.close();
  return { parts, lines };
}
