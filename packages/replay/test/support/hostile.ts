import type { ReplayReport } from "../../src/index.js";
import { cell, comparison, reportWith, tally } from "./reports.js";

/** Texts that mean something in one of the formats, or to the program that shows it. */
export const hostileTexts: readonly string[] = [
  '<script>alert(1)</script><img src=x onerror="alert(1)">',
  "</code></td></table></details></style><h1>owned</h1>",
  "a | b \\| c ` `` ``` ~~~ | *em* __strong__ ~~gone~~ [link](https://example.com) ![image](x)",
  "@everyone #1 GH-1 :tada: $x^2$ https://example.com www.example.com a@example.com <https://example.com>",
  "&amp; &#60; &lt;b&gt; ]]> <!-- --> <![CDATA[ %PDF",
  "line one\nline two\r\n# heading\n\n- list\n```\nend of the fence",
  "\u001b[2J\u001b]0;title\u0007\u009b31m bell\u0007 null\u0000 back\b",
  "admin\u202enimda \u2066 \u200b zero \ufeff \u2028 \ud800 \uffff",
  "名前は山田です 😀👩‍👩‍👧 é e\u0301",
  "x".repeat(5000),
];

/** A report whose every text is one of them. */
export function hostileReport(text: string): ReplayReport {
  const outcome = (side: string) => ({
    outcome: `OK/${text}${side}`,
    version: text,
    data: { [text]: [`${text}${side}`], side },
    explanation: `${text}${side}`,
  });
  const example = {
    recordId: text,
    requestId: text,
    recordedAt: "2026-03-03T09:14:07.512Z",
    caller: text,
    input: { [text]: text, list: [text, { [text]: 1 }] },
    masked: [`/input/${text}`],
    before: outcome("-before"),
    after: outcome("-after"),
  };
  const failed = {
    ...example,
    after: { outcome: `ERROR/${text}`, version: text, error: { code: text, message: text } },
  };
  const counts = tally({ unchanged: 1, changed: 2, failed: 1, skipped: 1 });
  const touched = comparison(text, {
    before: [{ version: text, records: 3 }],
    after: [{ version: `${text}2`, records: 3 }],
    counts,
    explainedDifferently: 1,
    matrix: [
      cell(`OK/${text}-before`, `OK/${text}-after`, { changed: 2, examples: [example] }),
      cell(`OK/${text}-before`, `ERROR/${text}`, { changed: 1, examples: [failed] }),
      cell(`OK/${text}`, `OK/${text}`, { unchanged: 1 }),
    ],
    numbers: [
      {
        pointer: `/${text}`,
        count: 2,
        higher: 1,
        lower: 1,
        meanBefore: 1e21,
        meanAfter: -1e-9,
        quantiles: { min: -1e21, p05: -1, p25: 0, p50: 0, p75: 0, p95: 1, max: 1e300 },
      },
    ],
    labels: {
      label: `/input/${text}`,
      prediction: `/data/${text}`,
      rows: [{ label: JSON.stringify(text), prediction: "undefined", before: 1, after: 2 }],
      agreementBefore: 0.5,
      agreementAfter: 1,
    },
  });
  return reportWith({
    records: 5,
    unreadable: { count: 12, first: [{ at: text, reason: text }] },
    from: "2026-03-03T09:14:07.512Z",
    to: "2026-03-03T09:14:07.512Z",
    counts,
    controlled: 4,
    reasons: [{ verdict: "failed", decisionId: text, reason: text, records: 1 }],
    decisions: [touched, comparison(`${text} quiet`, { counts: tally({ unchanged: 3 }) })],
    defaults: [touched],
    shadows: [{ ...touched, unpaired: 1 }],
  });
}
