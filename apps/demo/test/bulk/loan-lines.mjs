import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { argv } from "node:process";

// node loan-lines.mjs FILE COUNT: applications for a loan, some 200 bytes each, of which a few are wrong. The same ones each time.
const [file, count] = argv.slice(2);

let seed = 20260301;
function below(limit) {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed % limit;
}

const employments = ["employed", "self-employed", "retired", "student", "unemployed"];

function line(index) {
  if (index % 10_007 === 10_006) return '{"applicant":';
  const applicant = {
    age: index % 1009 === 1008 ? "old" : 18 + below(60),
    income: 12_000 + below(140_000),
    creditScore: 300 + below(551),
    employment: employments[below(5)],
  };
  const rest = {
    amount: 1000 + below(90_000),
    termMonths: 6 + below(115),
    country: below(40) === 0 ? "KP" : "GB",
  };
  return JSON.stringify({ applicant, ...rest, customer: `C-${100_000_000_000 + index}` }).padEnd(199);
}

const out = createWriteStream(file);
let text = "";
for (let index = 0; index < Number(count); index += 1) {
  text += `${line(index)}\n`;
  if (text.length > 1_000_000 && !out.write(text)) await once(out, "drain");
  if (text.length > 1_000_000) text = "";
}
out.end(text);
await once(out, "finish");
