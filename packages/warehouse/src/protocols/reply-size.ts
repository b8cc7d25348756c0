import { BatchRefusal } from "../batch/batch-refusal.js";

/** What an engine, or what is in front of it, lets through. */
interface ReplyLimit {
  readonly bytes: number;
  /** For messages, such as "10 MB". */
  readonly name: string;
  /** What limits the rows of a batch, where the function is created. */
  readonly setting: string;
}

/**
 * Checks the size of a reply. Larger ones fail without a reason, or are asked for again and again.
 *
 * @param bytes - of the reply
 * @throws BatchRefusal that says how many rows fit
 */
export function checkReplySize(
  bytes: number,
  rows: number,
  { bytes: most, name, setting }: ReplyLimit,
): void {
  if (bytes <= most) return;
  const problem = `the reply would have ${bytes} bytes, more than ${name}`;
  if (rows === 1) throw new BatchRefusal("BATCH_TOO_LARGE", `${problem}, and it has one row`);
  // Answers differ in length.
  const fitting = Math.max(1, Math.floor((rows * most * 0.9) / bytes));
  throw new BatchRefusal("BATCH_TOO_LARGE", `${problem}. Create the function with ${setting} ${fitting}`);
}
