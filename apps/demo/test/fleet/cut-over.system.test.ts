import { readFileSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { endAll, type FleetProcess, startFleetProcess } from "./cut-over-process.js";
import { atOneInstant, FleetClients, type Question } from "./fleet-clients.js";
import {
  type FleetDocument,
  filePlace,
  type ProfilePlace,
  postgresPlace,
  postgresTablesPlace,
  urlPlace,
} from "./profile-places.js";

afterAll(endAll);

const tables = readFileSync(new URL("./cut-over-contract.mjs", import.meta.url), "utf8");

/** Enough answers of one process to tell a rule from an accident. */
const enough = 30;
const processes = 3;

/** An answer has the marks of its profiles, or of its row and its profile. */
const question: Question<{ readonly data?: Record<string, number | readonly number[]> }> = {
  decision: "main",
  inputOf: () => ({}),
  setsIn: ({ data = {} }) => Object.values(data).flat(),
};

/** A whole set of profiles, all with the same mark. */
function setOf(set: number, activateAtMs?: number): FleetDocument {
  const profiles = { main: { set }, used: { set } };
  const activateAt = activateAtMs === undefined ? {} : { activateAt: new Date(activateAtMs).toISOString() };
  return { revision: String(set), ...activateAt, profiles };
}

/** A table and its profile, both with the same mark. */
function tableSetOf({ revision, activateAt }: FleetDocument): FleetDocument {
  const mark = Number(revision);
  const table = {
    table: "main",
    version: revision,
    hitPolicy: "U",
    inputs: [{ path: "any" }],
    outputs: [{ path: "row" }, { path: "profile" }],
    rules: [{ id: `row-${mark}`, if: ["-"], then: [mark, "profile.set"] }],
  };
  const when = activateAt === undefined ? {} : { activateAt };
  return { revision, ...when, decisions: [table], profiles: { main: { set: mark } } };
}

/** A place of profiles, with tables in their stead. */
async function withTables(make: () => Promise<ProfilePlace>): Promise<ProfilePlace> {
  const place = await make();
  return {
    ...place,
    options: { ...place.options, tables: true },
    publish: (document) => place.publish(tableSetOf(document)),
  };
}

async function startFleet({ options, environment }: ProfilePlace): Promise<readonly FleetProcess[]> {
  return Promise.all(Array.from({ length: processes }, () => startFleetProcess(options, environment)));
}

/** Waits until every process has told of a load. */
async function allTold(fleet: readonly FleetProcess[], outcome: string, set: number): Promise<void> {
  const has = ({ loads }: FleetProcess) =>
    loads.some((load) => load.outcome === outcome && load.revision === String(set));
  await expect.poll(() => fleet.every(has)).toBe(true);
}

/**
 * Publishes a set that is to come, so early that every process has it in time. A machine that is too busy for that gets
 * twice the time for the next set.
 */
async function schedule(place: ProfilePlace, fleet: readonly FleetProcess[]) {
  for (let set = 2, leadMs = 1500; ; set += 1, leadMs *= 2) {
    const activateAtMs = Date.now() + leadMs;
    await place.publish(setOf(set, activateAtMs));
    const isTold = ({ loads }: FleetProcess) => loads.some(({ revision }) => revision === String(set));
    await expect.poll(() => fleet.every(isTold)).toBe(true);
    if (Date.now() < activateAtMs) return { set, activateAtMs };
    await allTold(fleet, "loaded", set);
  }
}

it.each([
  ["a file", filePlace],
  ["a URL with entity tags", urlPlace],
  ["a row in PostgreSQL", () => postgresPlace(100)],
  ["a file of tables and profiles", () => withTables(filePlace)],
  ["a URL of tables and profiles", () => withTables(urlPlace)],
  ["a row of tables and profiles in PostgreSQL", () => withTables(() => postgresTablesPlace(tables))],
])(
  "three processes that watch %s change at one instant, and no answer mixes two sets",
  async (_what, make) => {
    const place: ProfilePlace = await make();
    await place.publish(setOf(1));
    const fleet = await startFleet(place);
    await allTold(fleet, "loaded", 1);
    const clients = new FleetClients(fleet, 4, question);
    await expect.poll(() => Math.min(...clients.answeredWith(1))).toBeGreaterThan(enough);
    const { set, activateAtMs } = await schedule(place, fleet);
    await allTold(fleet, "loaded", set);
    await expect.poll(() => Math.min(...clients.answeredWith(set))).toBeGreaterThan(enough);
    await clients.end();
    await Promise.all(fleet.map((each) => each.end()));
    await place.end();

    expect(clients.around(set, activateAtMs)).toEqual(atOneInstant);
    if (place.unchanged !== undefined) expect(place.unchanged()).toBeGreaterThan(0);
  },
);

it("a notification of PostgreSQL wakes the poll; without one, the poll finds the row by itself", async () => {
  const day = 86_400_000;
  const place = await postgresPlace(day);
  await place.publish(setOf(1));
  const process = await startFleetProcess(place.options, place.environment);
  await allTold([process], "loaded", 1);
  const listening = "from pg_stat_activity where query = 'listen decern_profiles' and state = 'idle'";
  await expect.poll(async () => (await place.pool.query(`select 1 ${listening}`)).rowCount).toBe(1);
  // No poll comes within a day.
  await place.publish(setOf(2));
  await allTold([process], "loaded", 2);
  // A change that somebody forgot to give another revision is loaded too.
  const told = process.loads.length;
  await place.publish({ ...setOf(3), revision: "2" });
  await expect.poll(() => process.loads.slice(told)).toMatchObject([{ outcome: "loaded", revision: "2" }]);
  await process.end();
  await place.end();

  const polled = await postgresPlace(100);
  await polled.publish(setOf(1));
  const deaf = await startFleetProcess(polled.options, polled.environment);
  await allTold([deaf], "loaded", 1);
  await expect.poll(async () => (await polled.pool.query(`select 1 ${listening}`)).rowCount).toBe(1);
  await polled.pool.query(`select pg_terminate_backend(pid) ${listening}`);
  await polled.publish(setOf(2));
  await allTold([deaf], "loaded", 2);
  await deaf.end();
  await polled.end();
});
