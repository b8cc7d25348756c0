import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../support/listening.js";

const run = promisify(execFile);

/** A local registry for our packages alone. */
export interface LocalRegistry {
  readonly url: string;
  /** Settings that make pnpm use it for everything, with an account that may publish. */
  readonly publisher: NodeJS.ProcessEnv;
  /** Settings that make npm and pnpm get our packages from it, and all others from the configured registry. */
  readonly user: NodeJS.ProcessEnv;
  close(): Promise<void>;
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
    uplinks: {},
    packages: { "{@decern/*,create-decern}": { access: "$all", publish: "$authenticated" } },
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
  writeFileSync(join(folder, "publisher"), `//127.0.0.1:${port}/:_authToken=${token}\n`);
  writeFileSync(join(folder, "user"), `@decern:registry=${url}\n`);
  const env = (userConfig: string, pnpmRegistry: string): NodeJS.ProcessEnv => ({
    ...process.env,
    // Also where `npx` gets pnpm from.
    npm_config_registry: upstream.trim(),
    PNPM_CONFIG_REGISTRY: pnpmRegistry,
    npm_config_userconfig: join(folder, userConfig),
    NPM_CONFIG_USERCONFIG: join(folder, userConfig),
    PNPM_CONFIG_MINIMUM_RELEASE_AGE: "0",
    // Provenance requires the identity of a release workflow.
    NPM_CONFIG_PROVENANCE: "false",
    PNPM_CONFIG_PROVENANCE: "false",
  });
  return {
    url,
    publisher: env("publisher", url),
    user: env("user", upstream.trim()),
    async close() {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
