import {
  AckPolicy,
  type ConsumerUpdateConfig,
  DeliverPolicy,
  type JetStreamManager,
} from "@nats-io/jetstream";
import { nanos } from "@nats-io/nats-core";
import { consumerProblems } from "../take/consumer-problems.js";
import { found } from "../take/open-stream.js";
import { changesOf } from "./changes-of.js";
import { refuseExisting } from "./refuse-existing.js";

/** Creates the durable consumer of all workers, or gives it the limits that were asked for. */
export async function setUpConsumer(
  manager: JetStreamManager,
  stream: string,
  name: string,
  limits: ConsumerUpdateConfig,
): Promise<void> {
  const existing = await found(manager.consumers.info(stream, name));
  if (existing === undefined) {
    await manager.consumers.add(stream, {
      durable_name: name,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(30_000),
      max_ack_pending: 5000,
      // Workers count the tries: what the server gave up would be nowhere.
      max_deliver: -1,
      ...limits,
    });
    return;
  }
  const { deliver_policy: begins, filter_subject: filter } = existing.config;
  refuseExisting(`consumer ${name} of stream ${stream}`, [
    ...consumerProblems(existing),
    ...(begins === "all" ? [] : [{ path: "/deliver_policy", message: `must be "all", not "${begins}"` }]),
    ...(filter === undefined || filter === ""
      ? []
      : [{ path: "/filter_subject", message: `must be absent, not "${filter}"` }]),
  ]);
  const changes = changesOf(existing.config, limits);
  if (changes !== undefined) await manager.consumers.update(stream, name, changes);
}
