import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A local registry, which proxies all other packages from the configured registry. */
export interface LocalRegistry {
  readonly url: string;
  /** Settings that make npm and pnpm use it, with an account that may publish. */
  readonly env: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

/** Starts a registry on loopback, and creates an account. */
export async function startRegistry(): Promise<LocalRegistry> {
  const folder = mkdtempSync(join(tmpdir(), "decern-registry-"));
  const { stdout: upstream } = await run("npm", ["config", "get", "registry"], { cwd: folder });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const config = {
    storage: join(folder, "storage"),
    auth: { htpasswd: { file: join(folder, "htpasswd"), max_users: 10 } },
    uplinks: { upstream: { url: upstream.trim(), maxage: "1h" } },
    packages: {
      "@decern/*": { access: "$all", publish: "$authenticated" },
      "**": { access: "$all", proxy: "upstream" },
    },
    log: { type: "stdout", format: "pretty", level: "warn" },
  };
  // JSON is valid YAML.
  writeFileSync(join(folder, "config.yaml"), JSON.stringify(config));
  const bin = createRequire(import.meta.url).resolve("verdaccio/bin/verdaccio");
  const child = spawn(
    process.execPath,
    [bin, "--config", join(folder, "config.yaml"), "--listen", `127.0.0.1:${port}`],
    {
      stdio: "ignore",
      cwd: folder,
    },
  );
  for (;;) {
    const up = await fetch(`${url}-/ping`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (up) break;
    if (child.exitCode !== null) throw new Error("the local registry has ended");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const reply = await fetch(`${url}-/user/org.couchdb.user:rehearsal`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "rehearsal", password: "rehearsal-only", email: "rehearsal@example.org" }),
  });
  const { token } = (await reply.json()) as { token: string };
  writeFileSync(join(folder, "npmrc"), `registry=${url}\n//127.0.0.1:${port}/:_authToken=${token}\n`);
  return {
    url,
    env: {
      ...process.env,
      npm_config_registry: url,
      PNPM_CONFIG_REGISTRY: url,
      npm_config_userconfig: join(folder, "npmrc"),
      NPM_CONFIG_USERCONFIG: join(folder, "npmrc"),
      PNPM_CONFIG_MINIMUM_RELEASE_AGE: "0",
      // Provenance requires the identity of a release workflow.
      NPM_CONFIG_PROVENANCE: "false",
      PNPM_CONFIG_PROVENANCE: "false",
    },
    async close() {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
