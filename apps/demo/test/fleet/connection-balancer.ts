import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { freePort } from "../support/listening.js";
import { type Process, startProcess, stop } from "../support/service.js";

/** Where Debian's libnginx-mod-stream has it. */
const streamModule = "/usr/lib/nginx/modules/ngx_stream_module.so";

/**
 * nginx as a balancer of connections, as a Kubernetes service is: it knows nothing of requests, and a connection stays with the
 * process that it was given to. That is also true after a change: the old worker keeps its connections while a new one takes
 * those to come.
 */
export class ConnectionBalancer {
  /** Where it listens. */
  readonly port: number;
  readonly #versionPort: number;
  readonly #folder = mkdtempSync(join(tmpdir(), "decern-balancer-"));
  #version = 0;
  #nginx: Process | undefined;

  private constructor(port: number, versionPort: number) {
    this.port = port;
    this.#versionPort = versionPort;
  }

  /** @param ports - of the processes */
  static async start(ports: readonly number[]): Promise<ConnectionBalancer> {
    const balancer = new ConnectionBalancer(await freePort(), await freePort());
    await balancer.spread(ports);
    return balancer;
  }

  /** Gives new connections to these processes, in turn. */
  async spread(ports: readonly number[]): Promise<void> {
    this.#version += 1;
    const path = join(this.#folder, "nginx.conf");
    writeFileSync(path, this.#configuration(ports));
    const args = ["-c", path, "-p", this.#folder];
    if (this.#nginx === undefined) {
      await promisify(execFile)("nginx", ["-t", ...args]);
      this.#nginx = startProcess("nginx", args);
    } else this.#nginx.child.kill("SIGHUP");
    await expect.poll(() => this.#versionInUse()).toBe(String(this.#version));
  }

  /** Ends it with all its connections. */
  async stop(): Promise<void> {
    if (this.#nginx !== undefined) await stop(this.#nginx);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #configuration(ports: readonly number[]): string {
    return `load_module ${streamModule};
daemon off;
pid ${this.#folder}/nginx.pid;
error_log stderr warn;
worker_processes 1;
events {}
stream {
  upstream fleet {
    ${ports.map((port) => `server 127.0.0.1:${port} max_fails=0;`).join(" ")}
  }
  server { listen 127.0.0.1:${this.port}; proxy_pass fleet; }
  server { listen 127.0.0.1:${this.#versionPort}; return ${this.#version}; }
}
`;
  }

  /** The version of the configuration, as new connections see it. */
  async #versionInUse(): Promise<string | undefined> {
    if (this.#nginx?.child.exitCode !== null) throw new Error(`nginx has ended: ${this.#nginx?.output()}`);
    const socket = connect(this.#versionPort, "127.0.0.1");
    let text = "";
    socket.setEncoding("utf8").on("data", (some) => {
      text += some;
    });
    try {
      await once(socket, "close");
      return text;
    } catch {
      return undefined;
    }
  }
}
