import type { Problem } from "@decern/core";
import {
  DiscardPolicy,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamUpdateConfig,
} from "@nats-io/jetstream";
import { nanos } from "@nats-io/nats-core";
import { found } from "../take/open-stream.js";
import { changesOf } from "./changes-of.js";
import { refuseExisting } from "./refuse-existing.js";

export interface WantedStream {
  readonly name: string;
  readonly subjects: readonly string[];
  /** What was asked for. */
  readonly limits: Partial<StreamUpdateConfig>;
}

const tenMinutes = nanos(600_000);

/** Creates a stream, or gives it the limits that were asked for. */
export async function setUpStream(manager: JetStreamManager, wanted: WantedStream): Promise<void> {
  const { name, subjects, limits } = wanted;
  const existing = await found(manager.streams.info(name));
  if (existing === undefined) {
    await manager.streams.add({
      name,
      subjects: [...subjects],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      // A stream that is full refuses what is new: what is old may not be answered yet.
      discard: DiscardPolicy.New,
      duplicate_window: limits.max_age === undefined ? tenMinutes : Math.min(tenMinutes, limits.max_age),
      ...limits,
    });
    return;
  }
  refuseExisting(`stream ${name}`, problemsOf(existing.config, subjects));
  const changes = changesOf(existing.config, limits);
  if (changes !== undefined) await manager.streams.update(name, changes);
}

function problemsOf(config: StreamConfig, subjects: readonly string[]): readonly Problem[] {
  const { retention, storage, discard, mirror, sealed, no_ack: isSilent } = config;
  const missing = subjects.filter((subject) => !config.subjects?.includes(subject));
  const limits = [config.max_msgs, config.max_bytes, config.max_msgs_per_subject];
  const canFill = limits.some((limit) => limit > 0);
  return [
    ...(retention === "limits"
      ? []
      : [{ path: "/retention", message: `must be "limits", not "${retention}"` }]),
    ...(storage === "file" ? [] : [{ path: "/storage", message: `must be "file", not "${storage}"` }]),
    ...(missing.length === 0
      ? []
      : [{ path: "/subjects", message: `must contain ${missing.join(" and ")}` }]),
    ...(canFill && discard === "old"
      ? [{ path: "/discard", message: 'must be "new", otherwise a full stream deletes unread messages' }]
      : []),
    ...(mirror === undefined && sealed !== true
      ? []
      : [{ path: "", message: "must accept messages, but it is sealed or a mirror" }]),
    ...(isSilent === true
      ? [{ path: "/no_ack", message: "must be false; otherwise storage is not acknowledged" }]
      : []),
  ];
}
