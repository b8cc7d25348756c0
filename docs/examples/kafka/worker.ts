import { runWorker } from "@decern/bulk";
import { Kafka } from "kafkajs";
import { loanApproval } from "./decisions.js";
import { KafkaSource } from "./kafka-source.js";

const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());

const source = new KafkaSource({
  kafka: new Kafka({ brokers: ["localhost:9092"] }),
  groupId: "loan-approval",
  transactionalId: `loan-approval-${process.env["POD_NAME"] ?? "0"}`,
  inputs: "loans.requests",
  results: "loans.answers",
});
await source.start();
// A producer has one transaction at a time.
await runWorker({ decision: loanApproval, source, lanes: 1, signal: stop.signal });
await source.stop();
