import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "../examples/page-examples.js";

/** A page whose commands a test types. */
export class Guide {
  readonly text: string;

  /** @param page - relative to the root */
  constructor(page: string) {
    this.text = readFileSync(resolve(root, page), "utf8");
  }

  /** The blocks of a kind without a title, in the order of the page. */
  blocks(kind: "csv" | "sh" | "text"): readonly string[] {
    const blocks = this.text.matchAll(new RegExp(`^\`\`\`${kind}\n(.*?)^\`\`\`$`, "gms"));
    return [...blocks].map(([, code = ""]) => code);
  }

  /** The lines that the page shows of what commands print. */
  get shownLines(): readonly string[] {
    return this.blocks("text").flatMap((block) => block.split("\n").filter((line) => line.trim() !== ""));
  }

  /** Writes the blocks with a title, each to the file that it names. */
  writeFiles(folder: string): void {
    for (const [, title = "", code] of this.text.matchAll(/^```\w+ title="([^"]+)"\n(.*?)^```$/gms))
      writeFileSync(join(folder, title), code ?? "");
  }
}

/** What a shell finds when it looks for `npx`: the built `decern`. */
export function pathWithDecern(folder: string): string {
  const command = resolve(root, "apps/cli/dist/main.js");
  // A program instead of a shell function: of a function, `kill %1` would end only the subshell.
  const script = `#!/bin/sh\n[ "$1" = decern ] || exit 99\nshift\nexec node ${command} "$@"\n`;
  writeFileSync(join(folder, "npx"), script, { mode: 0o755 });
  return `${folder}:${process.env["PATH"]}`;
}

/** A shell in which a reader types one block after the other. A command that fails ends it. */
export class Shell {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<unknown>;
  #said = "";
  #blocks = 0;

  constructor(folder: string) {
    const env = { ...process.env, PATH: pathWithDecern(folder) };
    this.#child = spawn("bash", ["-e", "-m"], { cwd: folder, env });
    this.#child.stdout.setEncoding("utf8").on("data", (text) => {
      this.#said += text;
    });
    this.#ended = once(this.#child, "close");
    this.#child.stdin.write("exec 2>&1\ntrap 'kill $(jobs -p) 2>/dev/null' EXIT\n");
  }

  /** Everything printed so far. */
  get said(): string {
    return this.#said;
  }

  /** @returns what was printed meanwhile */
  async type(block: string): Promise<string> {
    const start = this.#said.length;
    this.#blocks += 1;
    // What a block starts must not read what is typed next.
    const mark = `\nend of block ${this.#blocks}\n`;
    this.#child.stdin.write(
      `{ ${block}\n} < /dev/null\nprintf ${JSON.stringify(mark.replaceAll("\n", "\\n"))}\n`,
    );
    const hasEnded = this.#ended.then(() => "ended");
    while (!this.#said.includes(mark, start)) {
      const event = await Promise.race([hasEnded, once(this.#child.stdout, "data")]);
      if (event === "ended" && !this.#said.includes(mark, start))
        throw new Error(`The shell has ended:\n${this.#said.slice(start)}`);
    }
    return this.#said.slice(start, this.#said.indexOf(mark, start));
  }

  /** Ends it with the jobs that are left. */
  async end(): Promise<void> {
    this.#child.stdin.end();
    await this.#ended;
  }
}
