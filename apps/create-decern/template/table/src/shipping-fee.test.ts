import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluate } from "@decern/core";
import { decisions } from "./decisions.js";

const [, shippingFee] = decisions;

test("a parcel of more than 5 kg costs more per kilogram", () => {
  const result = evaluate(shippingFee, { zone: "eu", weightKg: 7, express: false });
  assert.equal(result.status, "OK");
  assert.deepEqual(result.data, { fee: 15, carrier: "post" });
  assert.equal(result.meta.matchedRule, "eu-heavy");
});
