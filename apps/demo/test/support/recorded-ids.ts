import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The ids of the requests that were evaluated, one for each record in a folder. */
export function recordedIds(records: string): readonly string[] {
  const files = readdirSync(records, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ndjson"),
  );
  const text = files.map((name) => readFileSync(join(records, name), "utf8")).join("");
  return [...text.matchAll(/"requestId":"([^"]+)"/g)].map(([, id = ""]) => id);
}
