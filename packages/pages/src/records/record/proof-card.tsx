import type { DecisionRecord } from "@decern/core";
import { Facts } from "./facts.js";

/** The hashes that chain the record to the one before it. */
export function ProofCard({ record }: { readonly record: DecisionRecord }) {
  const { recordId, recordVersion, subject, payloadHash, previousHash, hash } = record;
  return (
    <details class="card proof">
      <summary>
        <h2>Hashes</h2>
      </summary>
      <Facts
        facts={[
          { name: "Record id", value: <code>{recordId}</code> },
          { name: "Record version", value: <code>{recordVersion}</code> },
          { name: "Person (keyed hash)", value: subject === undefined ? undefined : <code>{subject}</code> },
          { name: "Payload hash", value: <code>{payloadHash}</code> },
          {
            name: "Previous hash",
            value: previousHash === null ? "None: first of its chain" : <code>{previousHash}</code>,
          },
          { name: "Hash", value: <code>{hash}</code> },
        ]}
      />
    </details>
  );
}
