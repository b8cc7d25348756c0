import type { UnreadableRecord } from "@decern/core";
import type { CommandIo } from "../command-line/command.js";
import { grouped } from "../command-line/progress.js";
import { writeText } from "../command-line/write-text.js";
import { printable } from "../text/printable.js";

/** Most that are named. */
const maxNamed = 3;

/** Says on standard error how much was left out because it is not a record. */
export async function tellLeftOut(
  count: number,
  first: readonly UnreadableRecord[],
  { stderr }: Pick<CommandIo, "stderr">,
): Promise<void> {
  if (count === 0) return;
  const what = count === 1 ? "1 line that is not a record" : `${grouped(count)} lines that are not records`;
  const named = first.slice(0, maxNamed).map(({ at, reason }) => `${at}: ${reason}`);
  const list = named.length === 0 ? "" : ` (${named.join("; ")}${count > named.length ? "; …" : ""})`;
  await writeText(stderr, `decern: left out ${what}${printable(list)}\n`);
}
