import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { loanApprovalExamples } from "../../src/decisions/loan-approval.js";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "decern-stream-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** How large the body is, in bytes. `STREAM_BYTES=1e9` takes a minute or two, and 4 GB of disk. */
const bytes = Number(process.env["STREAM_BYTES"] ?? 50e6);

/** The memory of a process that is in use, in MiB. */
function residentMiB(pid: number | undefined): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib) / 1024;
}

it("curl sends a large file through a service, whose memory does not grow and whose health stays answerable", async () => {
  const examples = loanApprovalExamples.filter(({ profile }) => profile === undefined);
  const lines = examples.map(({ input }) => `${JSON.stringify(input)}\n`);
  const round = Buffer.byteLength(lines.join(""));
  const total = Math.ceil(bytes / round) * lines.length;
  const input = join(folder, "in.ndjson");
  const output = join(folder, "out.ndjson");
  await pipeline(
    Readable.from(
      (function* () {
        for (let count = 0; count < total; count += lines.length) yield lines.join("");
      })(),
    ),
    createWriteStream(input),
  );
  const service = spawn(process.execPath, [join(import.meta.dirname, "stream-service.mjs")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    let url = "";
    for await (const line of createInterface(service.stdout)) {
      url = /http:\/\/\S+/.exec(line)?.[0] ?? "";
      if (url !== "") break;
    }
    const path = `${new URL(url).origin}/decisions/loan-approval`;
    // The first `fetch` of a process takes long to load: that is not the service's time.
    await (await fetch(new URL("/health/ready", path))).text();
    let isDone = false;
    const curl = run("curl", [
      ...["--silent", "--show-error", "--fail", "--no-buffer", "-X", "POST"],
      ...["-H", "content-type: application/x-ndjson", "-T", input, "-o", output, `${path}/batch`],
    ]).finally(() => {
      isDone = true;
    });
    let most = 0;
    let checked = 0;
    const probes: number[] = [];
    while (!isDone) {
      const began = performance.now();
      expect((await fetch(new URL("/health/ready", path))).status).toBe(200);
      probes.push(performance.now() - began);
      checked += 1;
      most = Math.max(most, residentMiB(service.pid));
    }
    await curl;
    // It did not wait for the whole stream.
    expect(checked).toBeGreaterThan(10);
    if (process.env["STREAM_BYTES"] !== undefined) tell(probes, most);
    // The replies are three times as long as the body, and both are longer than this.
    expect(most).toBeLessThan(200);

    const single = await Promise.all(
      examples.map(async ({ input }) => {
        const headers = { "content-type": "application/json" };
        const reply = await fetch(path, { method: "POST", headers, body: JSON.stringify({ input }) });
        return withoutInstant(await reply.text());
      }),
    );
    let count = 0;
    let wrong = 0;
    let last = "";
    for await (const line of createInterface(createReadStream(output))) {
      last = line;
      if (count < total && withoutInstant(line) !== single[count % single.length]) wrong += 1;
      count += 1;
    }
    expect(wrong).toBe(0);
    expect(last).toBe(`{"done":true,"count":${total}}`);
    expect(count).toBe(total + 1);
  } finally {
    const exited = once(service, "exit");
    service.kill();
    await exited;
  }
}, 900_000);

/** Figures of a long run, for people: no test depends on the speed of a machine. */
function tell(probes: readonly number[], most: number): void {
  const sorted = probes.toSorted((one, other) => one - other);
  const at = (part: number) => sorted[Math.ceil(part * sorted.length) - 1]?.toFixed(1);
  console.log(
    `health, ms: p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)} of ${sorted.length}; resident memory at most ${Math.round(most)} MiB`,
  );
}

function withoutInstant(envelope: string): string {
  return envelope.replace(/"evaluatedAt":"[^"]+"/, "");
}
