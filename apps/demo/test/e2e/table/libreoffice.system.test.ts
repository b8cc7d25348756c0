import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { evaluate } from "@decern/core";
import { readTable } from "@decern/table";
import { afterAll, expect, it } from "vitest";
import { profiles, shippingFeeContract } from "../../../src/decisions/index.js";
import { editWorkbook, replaceNumber } from "../../support/libre-office.js";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "decern-analyst-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function table(...args: readonly string[]) {
  const main = path("../../../../cli/dist/main.js");
  const contract = ["--contract", path("../../../src/decisions/index.ts"), "--table", "shipping-fee"];
  return await promisify(execFile)(process.execPath, [main, "table", ...args, ...contract], {
    cwd: folder,
  }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
  );
}

it("an analyst edits a fee in LibreOffice: the table is valid, the difference is named, and the new fee applies", async () => {
  copyFileSync(path("../../../tables/shipping-fee.xlsx"), join(folder, "old.xlsx"));
  copyFileSync(join(folder, "old.xlsx"), join(folder, "fee.xlsx"));
  await editWorkbook(join(folder, "fee.xlsx"), (xml) => {
    expect(xml).toContain("cell-content-is-in-list(&quot;home&quot;;&quot;eu&quot;;&quot;world&quot;)");
    return replaceNumber(xml, 14.5, 15.2);
  });

  const checked = await table("check", "fee.xlsx");
  expect(checked.code, checked.stdout).toBe(0);
  expect(checked.stdout).toContain('fee.xlsx: table "shipping-fee" is valid\n');

  const diff = await table("diff", "old.xlsx", "fee.xlsx", "--json");
  expect(diff.code).toBe(2);
  expect(JSON.parse(diff.stdout)).toMatchObject({
    added: [],
    removed: [],
    moved: [],
    metadata: [],
    changed: [{ rule: "eu-parcel", cells: [{ name: "→ fee", before: 14.5, after: 15.2 }] }],
    results: [
      {
        input: { zone: "eu" },
        before: { data: { fee: 14.5, carrier: "post", days: 5 }, rules: ["eu-parcel"] },
        after: { data: { fee: 15.2, carrier: "post", days: 5 }, rules: ["eu-parcel"] },
      },
    ],
    undecided: [],
  });

  const edited = readTable(shippingFeeContract, {
    name: "fee.xlsx",
    bytes: readFileSync(join(folder, "fee.xlsx")),
  });
  const result = evaluate(edited, { zone: "eu", parcel: { weightKg: 3 } }, profiles["shipping-fee"]);
  expect(result).toMatchObject({ status: "OK", data: { fee: 15.2 }, meta: { matchedRule: "eu-parcel" } });
});
