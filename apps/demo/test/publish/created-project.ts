import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../support/listening.js";

const run = promisify(execFile);

/** Path of a Node of some version. */
export async function nodeOf(version: string, cwd: string): Promise<string> {
  const args = ["--yes", "-p", `node@${version}`, "-c", "node -p process.execPath"];
  const { stdout } = await run("npx", args, { cwd });
  return stdout.trim();
}

/** How npm finds our packages. */
export interface Npm {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Creates a project and does what its README and its workflow say.
 *
 * @param tarball - URL of `create-decern`
 * @param version - of Node
 * @returns the response to the README's request
 * @throws if any of the commands fails
 */
export async function tryProject(
  tarball: string,
  choices: readonly string[],
  version: string,
  cwd: string,
  npm: Npm,
): Promise<unknown> {
  const name = `project-${version}`;
  const project = join(cwd, name);
  // Of an earlier attempt.
  rmSync(project, { recursive: true, force: true });
  const port = String(await freePort());
  const PATH = `${dirname(await nodeOf(version, cwd))}${delimiter}${process.env["PATH"]}`;
  const env = { ...npm.env, PATH, PORT: port, RECORDS: "records" };
  const command = async (file: string, args: readonly string[], at = project) => {
    try {
      const { stdout } = await run(file, args, { cwd: at, env, maxBuffer: 1e8 });
      return stdout;
    } catch (error) {
      const { stdout, stderr } = Object(error);
      throw new Error(`${file} ${args.join(" ")}\n${stdout}\n${stderr}`, { cause: error });
    }
  };
  const create = ["exec", "--yes", ...npm.args, `--package=${tarball}`, "--", "create-decern", name];
  await command("npm", [...create, ...choices], cwd);
  await command("npm", ["install", "--ignore-scripts", ...npm.args]);
  for (const script of ["lock", "lint", "build", "test"]) await command("npm", ["run", script]);
  await command("npm", ["run", "lock", "--", "--check"]);
  // The service itself, as the container runs it: not every npm passes signals on.
  const child = spawn("node", ["dist/server.js"], { cwd: project, env, stdio: "ignore" });
  const ended = once(child, "close");
  let response: string;
  try {
    const curl = /^curl .*$/m.exec(readFileSync(join(project, "README.md"), "utf8"))?.[0] ?? "";
    const waiting = curl.replace("curl ", "curl --retry 60 --retry-connrefused --retry-delay 1 ");
    response = await command("bash", ["-c", waiting.replace(":3000", `:${port}`)]);
  } finally {
    child.kill("SIGTERM");
  }
  const [code] = await ended;
  if (code !== 0) throw new Error(`the service ended with ${code}`);
  // Its record was written at the end; without records, replay would fail.
  await command("npm", ["run", "replay"]);
  return JSON.parse(response);
}
