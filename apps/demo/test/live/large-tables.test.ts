import { execFile } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { metrics } from "@decern/metrics";
import { createServer } from "@decern/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { LiveFile, setOf } from "./live-fee.js";

const rowCount = 2000;

/** A set with more rows than are compared on the event loop. Rows of `A` are certain to differ only where they are constant. */
function largeSet(mark: number, last: string, hitPolicy = "U", emitted: number = mark): object {
  const ends = Array.from({ length: rowCount - 1 }, (_, index) => `[${index}..${index + 1})`);
  const rules = [...ends, last].map((cell, index) => ({
    id: `row-${index}`,
    if: [cell],
    then: [index === rowCount - 1 ? emitted : mark, hitPolicy === "A" ? 0 : "profile.mark"],
  }));
  const table = {
    table: "marked",
    version: `v${mark}`,
    hitPolicy,
    inputs: [{ path: "weight" }],
    outputs: [{ path: "row" }, { path: "profile" }],
    rules,
  };
  return setOf(mark, { decisions: [table] });
}

const rest = `>= ${rowCount - 1}`;
/** Meets the first row too. */
const overlapping = `>= ${rowCount - 1}, 0.5`;

function serve(file: LiveFile) {
  const logged: unknown[] = [];
  const server = createServer({
    decisions: file.source(),
    observers: [file],
    profileOverride: false,
    metrics: metrics({ enabled: true }),
    logger: { error: (...line: unknown[]) => void logged.push(line), warn() {} },
  });
  onTestFinished(() => server.close());
  const version = async (): Promise<string> => {
    const payload = { input: { weight: 0.5 } };
    const reply = await server.handler.inject({ method: "POST", url: "/decisions/marked", payload });
    return z.object({ meta: z.object({ decisionVersion: z.string() }) }).parse(reply.json()).meta
      .decisionVersion;
  };
  const get = async (url: string) => (await server.handler.inject(url)).body;
  return { logged, version, get };
}

const script = fileURLToPath(new URL("./large-table.mjs", import.meta.url));

/** Replaces a set in the built service, since sources have no script that a thread could run. */
async function replacedInService(next: object): Promise<unknown> {
  const { path } = new LiveFile(setOf(1));
  const { path: nextPath } = new LiveFile(next);
  const { stdout } = await promisify(execFile)(process.execPath, [script, path, nextPath]);
  return JSON.parse(stdout);
}

describe("a table of more than a thousand rows", () => {
  it("is compared while calls get the set before, and used or rejected then", async () => {
    expect(await replacedInService(largeSet(2, rest))).toEqual({
      outcome: "loaded",
      meanwhile: ["v1"],
      after: "v2",
    });
    expect(await replacedInService(largeSet(2, overlapping))).toEqual({
      outcome: "failed",
      meanwhile: ["v1"],
      after: "v1",
    });
  });

  it.each([
    ["U", 2, 'the rows "row-0" and "row-1999" overlap, and U allows one row'],
    ["A", 9, 'the rows "row-0" and "row-1999" overlap, and A allows one result'],
  ])(
    "is rejected where rows of %s overlap: the set before stays, one log entry",
    async (policy, emitted, message) => {
      const file = new LiveFile(setOf(1));
      const { version, logged, get } = serve(file);
      expect(await file.publish(largeSet(2, overlapping, policy, emitted))).toMatchObject({
        outcome: "failed",
        error: {
          code: "DECISIONS_NOT_LOADED",
          problems: [
            {
              path: "/decisions/marked/rules/1999",
              message: `${file.path}, decision 1: ${message}; both match {"weight":0.5}`,
            },
          ],
        },
      });
      expect(await version()).toBe("v1");
      file.load();
      await wait(50);
      expect(logged).toHaveLength(1);
      expect(JSON.parse(await get("/health/ready"))).toMatchObject({
        status: "ready",
        decisions: { revision: "r1", failingSince: expect.any(String) },
      });
      expect(await get("/metrics")).toContain('engine_load_failing{part="decisions"} 1');
      await file.publish(largeSet(3, rest, policy));
      expect(await version()).toBe("v3");
      expect(await get("/metrics")).toContain('engine_load_failing{part="decisions"} 0');
    },
  );

  it("can have rows that overlap where they return the same, and where any may decide", async () => {
    const file = new LiveFile(setOf(1));
    const { version } = serve(file);
    await file.publish(largeSet(2, overlapping, "A"));
    expect(await version()).toBe("v2");
    await file.publish(largeSet(3, overlapping, "F", 9));
    expect(await version()).toBe("v3");
  });

  it("is compared before the host starts, which names the rows and doesn't", () => {
    const file = new LiveFile(largeSet(1, overlapping));
    expect(() => serve(file)).toThrow('the rows "row-0" and "row-1999" overlap');
  });

  it("is in use as soon as the host has started", async () => {
    const { version } = serve(new LiveFile(largeSet(1, rest)));
    expect(await version()).toBe("v1");
  });
});
