import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { authzen } from "@decern/authzen";
import { bulkFile } from "@decern/bulk";
import { decisionLog } from "@decern/decision-log";
import { explain } from "@decern/explain";
import { metrics } from "@decern/metrics";
import { natsSource, setUpNats } from "@decern/nats";
import { ofrep } from "@decern/ofrep";
import { generateAdapterSpec, generateOpenAPISpec, openapi } from "@decern/openapi";
import { openTelemetry } from "@decern/otel";
import { postgresChunks, postgresInbox } from "@decern/postgres/bulk";
import { postgres } from "@decern/postgres/log";
import { replay } from "@decern/replay";
import { typebox } from "@decern/schema";
import { explore } from "@decern/testing";
import { createWarehouseHandler } from "@decern/warehouse";
import { watchProfiles } from "@decern/watch";
import { describe, expect, it } from "vitest";
import { root } from "./page-examples.js";

const unknown = { nope: 1 };
const records = { find: () => {}, profile: () => {} };

/** The package, the text before its table of options, and a call that refuses an unknown option. */
const tables: readonly (readonly [readme: string, before: string, call: unknown, ...args: unknown[]])[] = [
  ["authzen", "## Options", authzen, unknown],
  ["bulk", "## Options", bulkFile, unknown],
  ["nats", "| `natsSource`", natsSource, unknown],
  ["nats", "| `setUpNats`", setUpNats, unknown],
  ["postgres", "| `postgresInbox`", postgresInbox, unknown],
  ["postgres", "| `postgresChunks`", postgresChunks, unknown],
  ["watch", "## Options", watchProfiles, unknown],
  ["explain", "## Options", explain, unknown],
  ["decision-log", "## Options", decisionLog, unknown],
  ["postgres", "### Options", postgres, unknown],
  ["metrics", "## Options", metrics, unknown],
  ["ofrep", "## Options", ofrep, unknown],
  ["openapi", "## `openapi(options)`", openapi, unknown],
  ["openapi", "## `generateOpenAPISpec", generateOpenAPISpec, [], { title: "", version: "" }, unknown],
  ["openapi", "## `generateAdapterSpec", generateAdapterSpec, unknown],
  ["otel", "## Options", openTelemetry, unknown],
  ["replay", "## `replay(", replay, records, { decisions: [] }, unknown],
  ["schema", "## `typebox(", typebox, { type: "string" }, unknown],
  ["testing", "## `explore(", explore, {}, unknown],
  ["warehouse", "## Options", createWarehouseHandler, unknown],
];

/** The names that a function accepts, by what it says of an unknown one. */
async function knownNames(call: unknown, args: readonly unknown[]): Promise<readonly string[]> {
  if (typeof call !== "function") throw new TypeError("not a function");
  try {
    await Reflect.apply(call, undefined, args);
  } catch (error) {
    const text = `${error} ${JSON.stringify(Object(error).problems)}`;
    return /valid names are ([\w, ]+)/.exec(text)?.[1]?.trim().split(", ") ?? [];
  }
  return [];
}

describe.each([...new Set(tables.map(([readme]) => readme))])("the README of %s", (readme) => {
  const text = readFileSync(resolve(root, `packages/${readme}/README.md`), "utf8");

  for (const [, before, call, ...args] of tables.filter(([name]) => name === readme)) {
    it(`has every option in the table below ${before}, and no other`, async () => {
      const [table = ""] = /^\|.*\n\| ---.*\n(?:\|.*\n)*/m.exec(text.slice(text.indexOf(before))) ?? [];
      const [, ...rows] = table.split("\n").filter((row) => !row.startsWith("| ---"));
      const shown = rows.flatMap((row) => [...(row.split(" | ")[0] ?? "").matchAll(/`(\w+)`/g)]);
      const known = await knownNames(call, args);
      expect(known.length).toBeGreaterThan(0);
      expect(shown.map(([, option]) => option).toSorted()).toEqual(known.toSorted());
    });
  }
});
