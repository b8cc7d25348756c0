import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setUpNats } from "@decern/nats";
import { postgresInbox } from "@decern/postgres/bulk";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { manifestOf } from "../../../../test/support/manifest.js";
import { type NatsServer, startNats } from "../../../../test/support/nats-server.js";
import { type PostgresServer, startPostgres } from "../../../../test/support/postgres-server.js";
import { decernProcess, startDecern } from "../support/decern.js";
import { LiveFolder, liveModule } from "../support/live-folder.js";

const module = fileURLToPath(new URL("../support/loans.mjs", import.meta.url));
const started = new Set<ChildProcess>();
afterEach(() => {
  for (const child of started) child.kill("SIGKILL");
  started.clear();
});

/** A worker process of the command, and what it has said so far. */
function startWorker(args: readonly string[]) {
  const child = startDecern(["worker", module, "loan", ...args]);
  started.add(child);
  const worker = { child, said: "" };
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    worker.said += text;
  });
  return worker;
}

async function stop({ child }: { readonly child: ChildProcess }, signal: NodeJS.Signals) {
  const ended = once(child, "exit");
  child.kill(signal);
  return (await ended)[0];
}

const answersIn = (text: string): readonly string[] =>
  text.split("\n").map((line) => JSON.parse(line).status);

describe("on NATS", () => {
  let server: NatsServer;
  let connection: NatsConnection;
  beforeEach(async () => {
    server = await startNats();
    connection = await connect({ servers: server.address });
    const names = { stream: "LOANS", consumer: "approval", results: "loans.answers" };
    await setUpNats({ ...names, connection, subjects: ["loans.requests"], ackWaitMs: 60_000 });
  });
  afterEach(async () => {
    await connection.close();
    await server.remove();
  });
  const place = () => [
    "--nats",
    `nats://${server.address}`,
    ...["--stream", "LOANS", "--consumer", "approval", "--results", "loans.answers"],
  ];

  it("answers everything, loses nothing when it is stopped, and shows what it does", async () => {
    const workers = [
      startWorker([...place(), "--metrics", "0", "--batch", "20"]),
      startWorker([...place(), "--batch", "20"]),
    ];
    const client = jetstream(connection);
    const messages = 300;
    for (let message = 0; message < messages; message += 1) {
      await client.publish("loans.requests", `{"amount":${message}}\n{"amount":"x"}\nnot JSON`);
      if (message === messages / 2) {
        const [, second] = workers;
        if (second === undefined) throw new Error("there is no second worker");
        await expect.poll(() => second.said).toContain("from stream LOANS");
        expect(await stop(second, "SIGTERM")).toBe(0);
      }
    }
    const [first] = workers;
    if (first === undefined) throw new Error("there is no worker");
    await expect.poll(() => first.said).toMatch(/metrics on http:\S+/);
    const [url = ""] = /http:\S+/.exec(first.said) ?? [];
    const page = async () => await (await fetch(url)).text();
    await expect.poll(page).toContain('engine_bulk_backlog_items{decision_id="loan"} 0');
    expect(await page()).toMatch(/engine_bulk_items_total\{decision_id="loan",status="INVALID_JSON"\} [1-9]/);
    expect((await fetch(new URL("/health/live", url))).status).toBe(200);
    expect((await fetch(new URL("/", url))).status).toBe(404);
    expect(await stop(first, "SIGTERM")).toBe(0);
    expect(first.said).toMatch(/evaluated \d+ inputs: OK \d+/);

    const manager = await jetstreamManager(connection);
    const { state } = await manager.streams.info("LOANS-RESULTS");
    const answered = new Map<string, readonly string[]>();
    for (let seq = 1; seq <= state.last_seq; seq += 1) {
      const answer = await manager.streams.getMessage("LOANS-RESULTS", { seq });
      // Notes of repeated tries are in the same stream.
      if (answer?.subject !== "loans.answers") continue;
      const input = answer?.header.get("Decern-Sequence") ?? "";
      expect(answered.has(input)).toBe(false);
      answered.set(input, answersIn(answer?.string() ?? ""));
    }
    expect(answered.size).toBe(messages);
    for (const answers of answered.values()) expect(answers).toEqual(["OK", "INVALID_INPUT", undefined]);
  });

  it("says at once what does not fit", async () => {
    const wrong = [...place().slice(0, -3), "nobody", "--results", "loans.answers"];
    const { code, stderr } = await decernProcess(["worker", module, "loan", ...wrong]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/stream LOANS has no consumer nobody/),
    });
    const profile = ["--profiles", "-"];
    const refused = await decernProcess(["worker", module, "loan", ...place(), ...profile], {
      input: '{"loan":{"most":"x"}}',
    });
    expect({ code: refused.code, stderr: refused.stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining("standard input: /loan/most"),
    });
  });
});

describe("on PostgreSQL", () => {
  let server: PostgresServer;
  let pool: pg.Pool;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres();
    pool = new pg.Pool(server.connection);
    const { host, user, database } = server.connection;
    url = `postgres://${user}@/${database}?host=${encodeURIComponent(host)}&schema=decern+bulk`;
  });
  afterAll(async () => {
    await pool.end();
    await server.remove();
  });

  it("answers an inbox, and loses nothing when it is stopped", async () => {
    const inbox = postgresInbox({ pool, schema: "decern bulk", name: "loans" });
    const amounts = Array.from({ length: 3000 }, (_, amount) => ({ amount }));
    await inbox.add(amounts);
    const args = ["--postgres", url, "--inbox", "loans", "--batch", "50"];
    const workers = [startWorker(args), startWorker([...args, "--metrics", "0"])];
    const [first, second] = workers;
    if (first === undefined || second === undefined) throw new Error("there are no workers");
    const count = async () =>
      Number((await pool.query('select count(*) from "decern bulk".decern_inbox_results')).rows[0].count);
    await expect.poll(count).toBeGreaterThan(0);
    await expect.poll(() => first.said).toContain("from inbox loans");
    expect(await stop(first, "SIGTERM")).toBe(0);
    await inbox.add(amounts);
    await expect.poll(() => second.said).toMatch(/metrics on http:\S+/);
    const [address = ""] = /http:\S+/.exec(second.said) ?? [];
    const page = async () => await (await fetch(address)).text();
    await expect.poll(page).toContain('engine_bulk_backlog_items{decision_id="loan"} 0');
    expect(await stop(second, "SIGINT")).toBe(0);
    const { rows } = await pool.query(
      'select status, count(*)::int from "decern bulk".decern_inbox_results group by 1 order by 1',
    );
    expect(rows).toEqual([
      { status: "NO_MATCH", count: 2 * 1999 },
      { status: "OK", count: 2 * 1001 },
    ]);
  });

  it("evaluates each batch with the table that is published then, and metrics tell which", async () => {
    const tables = new LiveFolder();
    onTestFinished(() => tables.remove());
    tables.publish("loan", "1");
    tables.publish("credit", "1");
    const inbox = postgresInbox({ pool, schema: "decern bulk", name: "live" });
    await inbox.add([{ amount: 900 }]);
    const child = startDecern(
      ["worker", liveModule, "loan", "--postgres", url, "--inbox", "live", "--metrics", "0"],
      { env: tables.env },
    );
    started.add(child);
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    await expect.poll(() => said).toMatch(/with loan as it is loaded, metrics on http:\S+/);
    const [address = ""] = /http:\S+/.exec(said) ?? [];
    const page = async () => await (await fetch(address)).text();
    const rules = async (): Promise<readonly unknown[]> => {
      const query = `select result from "decern bulk".decern_inbox_results where inbox = 'live' order by id`;
      return (await pool.query(query)).rows.map(({ result }) => result);
    };
    await expect.poll(rules).toHaveLength(1);
    tables.publish("loan", "2", false);
    await expect.poll(page).toContain('engine_decision_loads_total{outcome="loaded"} 2');
    expect(await page()).toContain('engine_load_failing{part="decisions"} 0');
    expect(await page()).toMatch(
      /engine_set_since_seconds\{part="decisions",revision="sha256:[\da-f]{12}"\} \d/,
    );
    await inbox.add([{ amount: 900 }]);
    await expect.poll(rules).toHaveLength(2);
    expect(JSON.stringify(await rules())).toMatch(/low-1.*low-2/);
    tables.publish("loan", "3", true);
    expect(await stop({ child }, "SIGTERM")).toBe(0);

    const refused = await decernProcess(
      ["worker", liveModule, "loan", "--postgres", url, "--inbox", "live", "--version", "1"],
      { env: tables.env },
    );
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("--version cannot be used") });
  });

  it("as deploy/keda-worker.yaml starts it, commits the batch that it has when its pod ends", async () => {
    const [deployment] = manifestOf("keda-worker.yaml");
    const [container] = deployment.spec.template.spec.containers;
    const place = mkdtempSync(join(tmpdir(), "decern-worker-"));
    onTestFinished(() => rmSync(place, { recursive: true, force: true }));
    const cli = fileURLToPath(new URL("../..", import.meta.url));
    mkdirSync(join(place, "node_modules/@decern"), { recursive: true });
    symlinkSync(cli, join(place, "node_modules/@decern/cli"));
    for (const name of ["@decern/core", "zod"])
      symlinkSync(join(cli, "node_modules", name), join(place, "node_modules", name));
    writeFileSync(join(place, "package.json"), '{ "private": true, "type": "module" }\n');
    writeFileSync(
      join(place, "decisions.js"),
      `import { defineDecision } from "@decern/core";
      import { z } from "zod";
      const schema = z.object({});
      const rules = [{ id: "all", when: () => true, emit: () => ({}) }];
      const schemas = { inputSchema: schema, outputSchema: schema, profileSchema: schema };
      export const decisions = [defineDecision({ id: "loan-approval", version: "1.0.0", ...schemas, rules })];
      `,
    );
    const database = url.replace("&schema=decern+bulk", "");
    const inbox = postgresInbox({ pool, name: "loans" });
    await inbox.add(Array.from({ length: 300 }, () => ({})));

    // The batch is evaluated, and can't be stored.
    const lock = new pg.Client(server.connection);
    await lock.connect();
    onTestFinished(() => lock.end());
    await lock.query("begin; lock table decern_inbox_results in exclusive mode");
    // As Kubernetes does it. The port of its metrics is in a network of its own.
    const command = [...container.command, ...container.args].map((word: string) =>
      word.replace("$(DATABASE_URL)", database),
    );
    const pod = spawn("unshare", ["--pid", "--fork", "--kill-child", "--mount-proc", "--net", ...command], {
      cwd: place,
      env: { PATH: process.env["PATH"], HOME: place, NODE_OPTIONS: container.env[0].value },
      stdio: ["ignore", "ignore", "pipe"],
    });
    started.add(pod);
    let said = "";
    pod.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    const ended = once(pod, "exit");
    const waiting = async () =>
      (
        await pool.query(
          "select from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'decern_inbox_results'",
        )
      ).rowCount;
    await expect.poll(async () => pod.exitCode !== null || (await waiting()) === 1).toBe(true);
    expect({ code: pod.exitCode, said }).toMatchObject({ code: null });
    const first = Number(readFileSync(`/proc/${pod.pid}/task/${pod.pid}/children`, "utf8"));
    expect(readFileSync(`/proc/${first}/status`, "utf8")).toMatch(/^NSpid:\t\d+\t1$/m);
    process.kill(first, "SIGTERM");
    await lock.query("commit");
    const [code] = await ended;
    const { rows } = await pool.query("select count(*)::int from decern_inbox_results");
    expect({ code, rows, said }).toEqual({
      code: 0,
      rows: [{ count: 300 }],
      said: expect.stringContaining("OK 300"),
    });
  });

  it("answers a table, and ends", async () => {
    await pool.query("create table loans (id int primary key, amount int)");
    await pool.query("insert into loans select n, n from generate_series(1, 500) n");
    const args = [
      "worker",
      module,
      "loan",
      "--postgres",
      url,
      "--job",
      "march",
      "--table",
      "loans",
      "--key",
      "id",
    ];
    const profile = ["--profiles", "-", "--version", "2.0.0"];
    const { code, stderr } = await decernProcess([...args, ...profile], { input: '{"loan":{"most":100}}' });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining("evaluated 500 inputs: OK 100, NO_MATCH 400\n"),
    });
    // Another revision may not finish the job.
    const other = await decernProcess(args);
    expect({ code: other.code, stderr: other.stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^decern: .*version/),
    });
  });
});
