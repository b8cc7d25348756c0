import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import pg from "pg";
import { startPostgres } from "../../../../test/support/postgres-server.js";
import { root } from "../examples/page-examples.js";
import { listening } from "../support/listening.js";

/** A fleet's document of profiles, and of tables. */
export interface FleetDocument {
  readonly revision: string;
  readonly activateAt?: string;
  readonly profiles: object;
  readonly decisions?: readonly object[];
}

/** A place from which several processes load profiles. */
export interface ProfilePlace {
  /** For each process. */
  readonly options: object;
  readonly environment?: NodeJS.ProcessEnv;
  publish(document: FleetDocument): Promise<unknown>;
  /** How often it has said that nothing changed, where it does. */
  unchanged?(): number;
  end(): Promise<unknown>;
}

/** A file that is replaced by renaming. */
export async function filePlace(): Promise<ProfilePlace> {
  const folder = mkdtempSync(join(tmpdir(), "decern-fleet-"));
  const file = join(folder, "profiles.json");
  return {
    options: { file },
    publish: async (document) => {
      writeFileSync(`${file}.new`, JSON.stringify(document));
      renameSync(`${file}.new`, file);
    },
    end: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** An HTTP server with entity tags. */
export async function urlPlace(): Promise<ProfilePlace> {
  let text = "";
  let unchanged = 0;
  const server = createServer((request, response) => {
    const etag = `"${createHash("sha256").update(text).digest("hex")}"`;
    if (request.headers["if-none-match"] === etag) {
      unchanged += 1;
      response.writeHead(304, { etag }).end();
    } else response.writeHead(200, { etag }).end(text);
  });
  const { url, close } = await listening(server);
  return {
    options: { url: `${url}/profiles.json` },
    publish: async (document) => {
      text = JSON.stringify(document);
    },
    unchanged: () => unchanged,
    end: close,
  };
}

const example = resolve(root, "docs/examples/live-profiles");

/**
 * The row of tables of the guide to live tables, with its own code and SQL.
 *
 * @param contract - the module that exports `shippingFee`, the contract of the tables
 */
export async function postgresTablesPlace(contract: string): Promise<ProfilePlace> {
  const own = resolve(root, "docs/examples/live-tables");
  const postgres = await startPostgres();
  const pool = new pg.Pool(postgres.connection);
  pool.on("error", () => {});
  await pool.query(readFileSync(join(own, "create.sql"), "utf8"));
  await pool.query("insert into decern_tables values ('live', '', null, '[]')");
  const update = readFileSync(join(own, "publish.sql"), "utf8");
  const folder = mkdtempSync(resolve(root, "apps/demo/test/fleet/.live-"));
  const module = join(folder, "live-tables.mjs");
  const code = readFileSync(join(own, "live-tables.ts"), "utf8").replace("(document: object)", "(document)");
  writeFileSync(module, code.replace("watchDecisions({", "watchDecisions({ everyMs: 100,"));
  writeFileSync(join(folder, "contracts.js"), contract);
  const { host, port, user, database } = postgres.connection;
  return {
    options: { module, tables: true },
    environment: { PGHOST: host, PGPORT: String(port), PGUSER: user, PGDATABASE: database },
    publish: ({ revision, activateAt, decisions = [], profiles }) => {
      const sql = update
        .replace(/revision = '[^']*'/, `revision = '${revision}'`)
        .replace(/activate_at = '[^']*'/, `activate_at = ${activateAt ? `'${activateAt}'` : "null"}`)
        .replace(/tables = '[^']*'/, `tables = '${JSON.stringify(decisions)}'`)
        .replace(/profiles = null/, `profiles = '${JSON.stringify(profiles)}'`);
      return pool.query(sql);
    },
    end: async () => {
      await pool.end();
      await postgres.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * The row of the guide to live profiles, with its own code and SQL, on a PostgreSQL server of the test.
 *
 * @param everyMs - how often it is polled
 */
export async function postgresPlace(everyMs: number) {
  const postgres = await startPostgres();
  const pool = new pg.Pool(postgres.connection);
  // Stopping the server at the end breaks its connections.
  pool.on("error", () => {});
  await pool.query(readFileSync(join(example, "create.sql"), "utf8"));
  const update = readFileSync(join(example, "publish.sql"), "utf8");
  const empty = `insert into decern_profiles values ('live', '', null, '{}')`;
  await pool.query(empty);
  // In the demo's folder, which can import every package.
  const folder = mkdtempSync(resolve(root, "apps/demo/test/fleet/.live-"));
  const module = join(folder, "live-profiles.mjs");
  const code = readFileSync(join(example, "live-profiles.ts"), "utf8");
  writeFileSync(module, code.replace("watchProfiles({", `watchProfiles({ everyMs: ${everyMs},`));
  const { host, port, user, database } = postgres.connection;
  const place: ProfilePlace = {
    options: { module },
    environment: { PGHOST: host, PGPORT: String(port), PGUSER: user, PGDATABASE: database },
    publish: ({ revision, activateAt, profiles }) => {
      const sql = update
        .replace(/revision = '[^']*'/, `revision = '${revision}'`)
        .replace(/activate_at = '[^']*'/, `activate_at = ${activateAt ? `'${activateAt}'` : "null"}`)
        .replace(/profiles = '[^']*'/, `profiles = '${JSON.stringify(profiles)}'`);
      return pool.query(sql);
    },
    end: async () => {
      await pool.end();
      await postgres.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return { ...place, pool };
}
