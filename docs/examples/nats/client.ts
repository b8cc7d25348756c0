import { jetstream } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";

const connection = await connect({ servers: "localhost:4222" });
const js = jetstream(connection);

// Your own msgID makes publishing safe to retry.
const inputs = [
  { amount: 9000, score: 700 },
  { amount: 500, score: 580 },
];
const { seq } = await js.publish("loans.requests", inputs.map((input) => JSON.stringify(input)).join("\n"), {
  msgID: "applications-2026-03-01",
});

const results = await js.consumers.get("LOANS-RESULTS", { filter_subjects: "loans.answers" });
for await (const message of await results.consume()) {
  if (message.headers?.get("Decern-Sequence") !== String(seq)) continue;
  for (const line of message.string().split("\n")) console.log(line); // {"status":"OK","data":…,"matchedRule":…}
  break;
}
await connection.close();
