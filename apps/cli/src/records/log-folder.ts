import { readdir } from "node:fs/promises";
import { CommandError } from "../command-line/command.js";

/** A folder without records may be the wrong one, so it must not count as a success when checking or comparing. */
export async function requireLogFolder(path: string, text: string): Promise<void> {
  const names = await readdir(path);
  if (names.some((name) => /^\d{1,9}-\d{8,15}\.ndjson$/.test(name))) return;
  const others = names.some((name) => name.endsWith(".ndjson"));
  throw new CommandError(
    others
      ? `the files in "${text}" are not named like those of a decision log; pass the files themselves, such as "${text}/*.ndjson"`
      : `the folder "${text}" has no records`,
  );
}
