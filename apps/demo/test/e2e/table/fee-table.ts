import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Decision } from "@decern/core";
import { readTable, tableContract } from "@decern/table";
import { onTestFinished } from "vitest";
import { z } from "zod";

export const contract = tableContract({
  id: "shipping-fee",
  inputSchema: z.object({
    zone: z.enum(["home", "abroad"]),
    weight: z.number().min(0).max(50).multipleOf(0.5),
  }),
  outputSchema: z.object({ fee: z.number() }),
  profileSchema: z.object({ surcharge: z.number() }),
});

export const profiles = { "shipping-fee": { surcharge: 1.5 } };

/** A table of which an analyst has edited the fee abroad, or the limit of light parcels. */
export function feeTable({
  version = "1.0.0",
  abroad = 20,
  limit = 2,
}: {
  readonly version?: string;
  readonly abroad?: number;
  readonly limit?: number;
} = {}) {
  const csv = `table;shipping-fee
version;${version}
hit policy;U
rule;zone;weight;→ fee
light;home;<= ${limit};4.5
heavy;home;> ${limit};4.5 + profile.surcharge
abroad;abroad;-;${abroad}`;
  return readTable(contract, { name: "fee.csv", bytes: Buffer.from(csv) });
}

/** What depends on several rows: the carriers of a parcel, in the order of the table. */
export const carriers = readTable(
  tableContract({
    id: "carriers",
    inputSchema: contract.inputSchema,
    outputSchema: z.array(z.object({ carrier: z.string() })),
    profileSchema: z.object({}),
  }),
  {
    name: "carriers.csv",
    bytes: Buffer.from(
      "table,carriers\nversion,1.0.0\nhit policy,R\nrule,weight,→ carrier\npost,<= 10,post\ncourier,> 1,courier",
    ),
  },
);

export const heavy = { zone: "home", weight: 3 } as const;

/** The hash under which records name what a decision was made from. */
export function hashOf({ contentHash }: Decision): string {
  if (contentHash === undefined) throw new Error("a table has a hash");
  return contentHash;
}

/** A folder that is deleted after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "decern-table-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
