import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Builds the demo and every package once, so tests of the built service need no separate step. */
export default async function build(): Promise<void> {
  try {
    await promisify(execFile)(
      join(root, "node_modules/.bin/turbo"),
      ["run", "build", "--filter=@decern/demo", "--filter=@decern/cli", "--output-logs=errors-only"],
      {
        cwd: root,
        maxBuffer: 64 * 1024 * 1024,
        env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" },
      },
    );
  } catch (error) {
    const output =
      error instanceof Error && "stdout" in error && "stderr" in error
        ? `${error.stdout}\n${error.stderr}`
        : "";
    throw new Error(`The build failed\n${output}`, { cause: error });
  }
}
