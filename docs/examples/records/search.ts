import { log } from "./log.js";

const declined = log.find({
  decision: "loan-approval",
  rule: "score-too-low",
  from: new Date("2026-03-03"),
  to: new Date("2026-03-04"),
});
for await (const record of declined) console.log(record.recordId, record.payload?.input);

const { ok, chains, problems } = await log.verify(); // with `heads`, also that no end is missing
console.log(ok, chains, problems);
console.log(await log.stats()); // records, oldest, newest, bytes, withoutPayload, unreadable
