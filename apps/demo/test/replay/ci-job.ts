import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { root } from "../examples/page-examples.js";
import { pathWithDecern } from "../support/guide.js";
import type { Listening } from "../support/listening.js";
import { FakeGitHub } from "./fake-github.js";

const example = resolve(root, "docs/examples/replay-pull-request");

/** A workflow of the example, in a checked-out repository, with a GitHub that takes comments. */
export class CiJob {
  readonly gitHub = new FakeGitHub();
  readonly folder: string;
  readonly #job: {
    readonly env: Readonly<Record<string, string>>;
    readonly steps: readonly { readonly name?: string; readonly run?: string }[];
  };
  readonly #name: string;
  #listening: Listening | undefined;

  /** @param name - of the workflow and its job */
  constructor(name: string, folder: string) {
    this.folder = folder;
    this.#name = name;
    this.#job = parse(readFileSync(join(example, `${name}.yml`), "utf8")).jobs[name];
  }

  /** Those that run a script. */
  get scripts(): readonly { readonly name: string | undefined; readonly run: string }[] {
    return this.#job.steps.flatMap(({ name, run }) => (run === undefined ? [] : [{ name, run }]));
  }

  async start(): Promise<void> {
    this.#listening = await this.gitHub.start();
    for (const place of [".github", "bin"]) mkdirSync(join(this.folder, place));
    copyFileSync(join(example, "replay-comment.mjs"), join(this.folder, ".github/replay-comment.mjs"));
  }

  /** Runs the script of a step with bash, as GitHub does. */
  async step(
    name: string,
    env: Readonly<Record<string, string>> = {},
  ): Promise<{ code: number; said: string }> {
    const script = this.scripts.find((one) => one.name === name)?.run;
    if (script === undefined) throw new Error(`the workflow has no step "${name}"`);
    return await new Promise((done) => {
      const options = {
        cwd: this.folder,
        env: {
          PATH: pathWithDecern(join(this.folder, "bin")),
          ...this.#job.env,
          GITHUB_API_URL: this.#listening?.url ?? "",
          GITHUB_REPOSITORY: "decern/loans",
          GITHUB_TOKEN: "a-token",
          GITHUB_OUTPUT: join(this.folder, "output"),
          GITHUB_STEP_SUMMARY: join(this.folder, "summary"),
          GITHUB_WORKFLOW: this.#name,
          PULL_REQUEST: "17",
          ...env,
        },
      };
      execFile("bash", ["-e", "-c", script], options, (error, stdout, stderr) => {
        const code = typeof error?.code === "number" ? error.code : error === null ? 0 : -1;
        done({ code, said: stdout + stderr });
      });
    });
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), "utf8");
  }

  async end(): Promise<void> {
    await this.#listening?.close();
  }
}
