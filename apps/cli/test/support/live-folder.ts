import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A module whose decisions change with the files of a folder. */
export const liveModule = fileURLToPath(new URL("./live-loans.mjs", import.meta.url));

/** The folder of {@link liveModule}, which a test changes. */
export class LiveFolder {
  readonly path = mkdtempSync(join(tmpdir(), "decern-live-"));
  readonly env = { LIVE_TABLES: this.path };

  /** Replaces a table, of which each row has the version as its name. */
  publish(id: string, version: string, isGranted = true): void {
    const lines = [
      `table,${id}`,
      `version,${version}`,
      "hit policy,U",
      "rule,amount,→ granted",
      `low-${version},<= profile.most,${isGranted}`,
      `high-${version},> profile.most,false`,
    ];
    const file = join(this.path, `${id}.csv`);
    writeFileSync(`${file}.new`, `${lines.join("\n")}\n`);
    renameSync(`${file}.new`, file);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
