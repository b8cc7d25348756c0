import type { DecisionLog, RequestView, VersionsOf } from "@decern/core";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { replay } from "@decern/replay";
import { createServer } from "@decern/server";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loan } from "./modules/loan.mjs";
import { temporaryFolder } from "./support.js";

const decisions = [loan(), loan({ version: "2.0.0", most: 4000 })] as const;
const profiles = { loan: { small: 100 } };

interface RollOut {
  readonly versions: VersionsOf<typeof decisions>;
  /** The share of calls with a shadow. */
  readonly shadow: number;
}

type Server = ReturnType<typeof createServer>;

/** Runs a service with a roll-out, and gives what it has recorded. */
async function recorded(
  { versions, shadow }: RollOut,
  call: (server: Server) => Promise<void>,
): Promise<DecisionLog> {
  const log = decisionLog({ store: ndjsonFiles(temporaryFolder()), logger: { error: console.error } });
  const server = createServer({
    decisions,
    profiles,
    versions,
    log,
    ...(shadow === 0 ? {} : { shadow: { loan: { version: "2.0.0", sample: shadow } } }),
  });
  await call(server);
  await server.close();
  return log;
}

const amounts = Array.from({ length: 300 }, (_, index) => 3900 + index);
/** Those between the limits of both versions. */
const differing = amounts.filter((amount) => amount > 4000).length;

const ways: readonly (readonly [string, (server: Server) => Promise<void>])[] = [
  [
    "single calls",
    async ({ handler }) => {
      for (const amount of amounts)
        await handler.inject({ method: "POST", url: "/decisions/loan", payload: { input: { amount } } });
    },
  ],
  [
    "a list",
    async ({ handler }) => {
      const payload = { inputs: amounts.map((amount) => ({ amount })) };
      await handler.inject({ method: "POST", url: "/decisions/loan/batch", payload });
    },
  ],
  [
    "an NDJSON stream",
    async ({ handler }) => {
      const payload = amounts.map((amount) => `${JSON.stringify({ amount })}\n`).join("");
      const headers = { "content-type": "application/x-ndjson" };
      await handler.inject({ method: "POST", url: "/decisions/loan/batch", headers, payload });
    },
  ],
];

describe.each(ways)("shadows of %s", (_way, call) => {
  it("are each compared with their own call", async () => {
    const log = await recorded({ versions: { loan: { default: "1.0.0" } }, shadow: 1 }, call);
    const report = await replay(log, { decisions, profiles, versions: { loan: { default: "1.0.0" } } });
    await log.close();
    expect(report.shadows[0]).toMatchObject({
      unpaired: 0,
      counts: { unchanged: amounts.length - differing, changed: differing },
    });
  });
});

/** One call: with a version in its path or without, and chosen for the roll-out or not. */
const call = fc.record({
  amount: fc.constantFrom(50, 3999, 4000, 4001, 5000, 5001, -1),
  pinned: fc.constantFrom(undefined, "1.0.0", "2.0.0"),
  isChosen: fc.boolean(),
});

describe("a replay of an unchanged module", () => {
  it("changes nothing, whatever the path, select and shadows did, and shows what the default would", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { minLength: 1, maxLength: 12 }),
        fc.constantFrom("1.0.0", "2.0.0"),
        fc.boolean(),
        async (calls, standard, hasShadow) => {
          const select = ({ request }: { readonly request?: RequestView | undefined }) =>
            request?.headers["x-chosen"] === "yes" ? "2.0.0" : undefined;
          const versions = { loan: { default: standard, select } } as const;
          const shadow = hasShadow && standard === "1.0.0" ? 1 : 0;
          const log = await recorded({ versions, shadow }, async ({ handler }) => {
            for (const { amount, pinned, isChosen } of calls) {
              const url = `/decisions/loan${pinned === undefined ? "" : `/versions/${pinned}`}`;
              const headers = { "x-chosen": isChosen ? "yes" : "no" };
              await handler.inject({ method: "POST", url, headers, payload: { input: { amount } } });
            }
          });
          const report = await replay(log, { decisions, profiles, versions });
          await log.close();
          expect(report).toMatchObject({
            isWithin: true,
            counts: { unchanged: calls.length, changed: 0, inconclusive: 0, failed: 0 },
          });
          const others = calls.filter(
            ({ pinned, isChosen }) => (pinned ?? (isChosen ? "2.0.0" : standard)) !== standard,
          );
          const changed = others.filter(({ amount }) => amount > 4000 && amount <= 5000).length;
          expect(report.defaults.map(({ counts }) => [counts.unchanged, counts.changed])).toEqual(
            others.length === 0 ? [] : [[others.length - changed, changed]],
          );
          expect(report.shadows.every(({ unpaired }) => unpaired === 0)).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  });
});
