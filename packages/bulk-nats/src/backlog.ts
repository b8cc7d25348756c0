import type { BulkBacklog } from "@decern/core";
import type { NatsSettings } from "./options.js";
import type { OpenStream } from "./take/open-stream.js";

/** @param nowMs - milliseconds since the Unix epoch */
export async function readBacklog(
  { manager, filter, deadStream }: OpenStream,
  { stream, consumer, deadLetters }: NatsSettings,
  nowMs: number,
): Promise<BulkBacklog> {
  const info = await manager.consumers.info(stream, consumer);
  const items = info.num_pending + info.num_ack_pending;
  const { state } = await manager.streams.info(deadStream, { subjects_filter: deadLetters });
  const dead = state.subjects?.[deadLetters] ?? 0;
  if (items === 0) return { items, dead, oldestSeconds: 0 };
  // Everything up to the floor is acknowledged; the first message behind it that the consumer wants is the oldest.
  const query = { seq: info.ack_floor.stream_seq + 1, next_by_subj: filter || ">" };
  const oldest = await manager.streams.getMessage(stream, query);
  if (oldest === null) return { items, dead, oldestSeconds: undefined };
  return { items, dead, oldestSeconds: Math.max(nowMs - oldest.time.getTime(), 0) / 1000 };
}
