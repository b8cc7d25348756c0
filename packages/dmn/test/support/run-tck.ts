// Prints how many cases of a copy of the technology compatibility kit pass: `tsx run-tck.ts <folder of the kit> [part of a folder's name]`.
import { readdirSync } from "node:fs";
import { runLevel } from "./tck.js";

const [kit = ".", filter = ""] = process.argv.slice(2);
for (const level of readdirSync(kit).filter((name) => /^(compliance|non)/.test(name))) {
  const summary = await runLevel(kit, level);
  const share = ((100 * summary.passed) / summary.total).toFixed(2);
  const notNull = ((100 * summary.notNullPassed) / summary.notNull).toFixed(2);
  console.log(
    `${level}: ${summary.passed} of ${summary.total} (${share} %), not null ${summary.notNullPassed} of ${summary.notNull} (${notNull} %), mean of folders ${(100 * summary.meanOfFolders).toFixed(2)} %`,
  );
  for (const { name, passed, total } of summary.folders) {
    if (passed < total) console.log(`  ${name}: ${passed} of ${total}`);
  }
  for (const { folder, testCase, node, detail } of summary.failed) {
    if (folder.includes(filter)) console.log(`    ${folder} ${testCase} ${node}: ${detail}`);
  }
}
