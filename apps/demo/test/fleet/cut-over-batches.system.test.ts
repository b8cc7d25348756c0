import { once } from "node:events";
import { request } from "node:http";
import { createInterface } from "node:readline";
import { afterAll, expect, it } from "vitest";
import { endAll, startFleetProcess } from "./cut-over-process.js";
import { type FleetDocument, filePlace } from "./profile-places.js";

afterAll(endAll);

/** A whole set of profiles, all with the same mark. */
function setOf(set: number, activateAt?: string): FleetDocument {
  return {
    revision: String(set),
    ...(activateAt === undefined ? {} : { activateAt }),
    profiles: { main: { set }, used: { set } },
  };
}

/** The marks in one batch's results, each once. */
async function marksOfBatch(url: string): Promise<string> {
  const reply = await fetch(`${url}/decisions/main/batch`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ inputs: Array(200).fill({}) }),
  });
  const { results } = JSON.parse(await reply.text());
  return [...new Set(results.flatMap(({ data }: { data: { sets: number[] } }) => data.sets))].join();
}

/** A stream of NDJSON that stays open. */
async function openStream(url: string) {
  const sent = request(`${url}/decisions/main/batch`, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
  });
  sent.write("{}\n");
  const [reply] = await once(sent, "response");
  const lines = createInterface({ input: reply })[Symbol.asyncIterator]();
  const nextSets = async (): Promise<string> => JSON.parse((await lines.next()).value).data.sets.join();
  expect(await nextSets()).toBe("1,1");
  return {
    ask: () => {
      sent.write("{}\n");
      return nextSets();
    },
    end: async (): Promise<unknown> => {
      sent.end();
      return JSON.parse((await lines.next()).value);
    },
  };
}

it("batches and streams that are under way at the instant keep their set to the end", async () => {
  const place = await filePlace();
  await place.publish(setOf(1));
  const process = await startFleetProcess(place.options);
  const stream = await openStream(process.url);
  const batches = new Map<string, number>();
  let isOver = false;
  const clients = Array.from({ length: 3 }, async () => {
    while (!isOver) {
      const marks = await marksOfBatch(process.url);
      batches.set(marks, (batches.get(marks) ?? 0) + 1);
    }
  });
  await expect.poll(() => batches.get("1")).toBeGreaterThan(10);
  await place.publish(setOf(2, new Date(Date.now() + 1000).toISOString()));
  let lines = 1;
  while ((batches.get("2") ?? 0) < 10) {
    expect(await stream.ask()).toBe("1,1");
    lines += 1;
  }
  isOver = true;
  await Promise.all(clients);
  expect(await stream.end()).toEqual({ done: true, count: lines });
  await process.end();
  await place.end();
  console.log(
    `batches by their sets: ${JSON.stringify(Object.fromEntries(batches))}; ${lines} lines of one stream`,
  );
  expect([...batches.keys()]).toEqual(["1", "2"]);
});
