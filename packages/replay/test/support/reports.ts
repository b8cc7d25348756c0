import type {
  Comparison,
  MatrixCell,
  ReplayExample,
  ReplayReport,
  ShadowComparison,
  Tally,
} from "../../src/index.js";

/** Counts of verdicts; what is not given is 0. */
export function tally(given: Partial<Tally> = {}): Tally {
  return { unchanged: 0, changed: 0, notReproducible: 0, inconclusive: 0, failed: 0, skipped: 0, ...given };
}

/** A cell of a matrix. */
export function cell(from: string, to: string, given: Partial<MatrixCell> = {}): MatrixCell {
  const { unchanged = 0, changed = 0 } = given;
  return {
    from,
    to,
    unchanged,
    changed,
    estimatedUnchanged: unchanged,
    estimatedChanged: changed,
    examples: [],
    ...given,
  };
}

/** A decision of which nothing is known yet. */
export function comparison(decisionId: string, given: Partial<Comparison> = {}): Comparison {
  const counts = given.counts ?? tally();
  return {
    decisionId,
    before: [{ version: "1.0.0", records: 1 }],
    after: [{ version: "1.0.0", records: 1 }],
    counts,
    estimated: counts,
    explainedDifferently: 0,
    matrix: [],
    numbers: [],
    ...given,
  };
}

/** A report of nothing, with what is given. */
export function reportWith(given: Partial<ReplayReport> = {}): ReplayReport {
  const counts = given.counts ?? tally();
  const { changed, failed, unchanged } = given.estimated ?? counts;
  const all = changed + failed + unchanged;
  return {
    reportVersion: 1,
    isWithin: all > 0 && changed + failed === 0,
    allowed: 0,
    share: all === 0 ? 0 : (changed + failed) / all,
    allowedInconclusive: 0,
    inconclusiveShare: 0,
    records: 0,
    unreadable: { count: 0, first: [] },
    counts,
    estimated: counts,
    controlled: 0,
    reasons: [],
    decisions: [],
    defaults: [],
    shadows: [],
    ...given,
  };
}

function applicant(index: number, creditScore: number): ReplayExample["input"] {
  return {
    country: "DE",
    amount: 12_000 + index * 500,
    termMonths: 48,
    applicant: {
      age: 34 + index,
      creditScore,
      monthlyIncome: 3200,
      monthlyDebts: 450,
      employment: "employed",
    },
  };
}

function nearPrime(index: number): ReplayExample {
  const score = 741 + index * 3;
  return {
    recordId: `019a3c5e-4b1f-7c44-9d0e-3c1f6a2b9e${50 + index}`,
    requestId: `8c0e2f0e-1f63-4b9a-9a0c-0d2c8d5a7a${10 + index}`,
    recordedAt: `2026-03-0${3 + index}T09:14:07.512Z`,
    caller: "web-shop",
    input: applicant(index, score),
    masked: ["/input/customer"],
    before: {
      outcome: "OK/prime",
      version: "1.2.0",
      data: { approved: true, rate: 4.9, tier: "prime", reason: "Our best rate" },
      explanation: `Score ${score} is 740 or more, the income is steady, and the instalment takes only 12.4 % of it`,
    },
    after: {
      outcome: "OK/near-prime",
      version: "1.3.0",
      data: { approved: true, rate: 7.9, tier: "near-prime", reason: "A good score" },
      explanation: `Score ${score} is 680 or more, with an income`,
    },
  };
}

function refused(index: number): ReplayExample {
  const { before, ...example } = nearPrime(index);
  return {
    ...example,
    recordId: `019a3c5e-7d02-7a10-8b11-5a0f6a2b9e${60 + index}`,
    before: {
      ...before,
      outcome: "OK/standard",
      data: { approved: true, rate: 12.9, tier: "standard", reason: "Meets every requirement" },
      explanation: "The loan meets every requirement, but does not qualify for a better rate",
    },
    after: {
      outcome: "OK/debt-to-income",
      version: "1.3.0",
      data: {
        approved: false,
        rate: 0,
        tier: "declined",
        reason: "The loan is more than the income can support, or more than we lend",
      },
      explanation: "At 12 % the instalment takes 41.3 % of the income, above 40 %",
    },
  };
}

function failing(): ReplayExample {
  const { before, ...example } = nearPrime(4);
  return {
    ...example,
    before,
    after: {
      outcome: "ERROR/EVALUATION_FAILED",
      version: "1.3.0",
      error: { code: "EVALUATION_FAILED", message: "Rule 'prime' of loan-approval failed" },
    },
  };
}

const loan: Comparison = comparison("loan-approval", {
  before: [
    { version: "1.2.0", records: 31_000 },
    { version: "1.1.0", records: 12 },
  ],
  after: [{ version: "1.3.0", records: 31_012 }],
  counts: tally({ unchanged: 29_790, changed: 1_216, failed: 6, inconclusive: 230, notReproducible: 12 }),
  explainedDifferently: 87,
  matrix: [
    cell("OK/prime", "OK/prime", { unchanged: 8_214 }),
    cell("OK/near-prime", "OK/near-prime", { unchanged: 11_020, changed: 12 }),
    cell("OK/standard", "OK/standard", { unchanged: 9_102 }),
    cell("OK/prime", "OK/near-prime", { changed: 1_004, examples: [0, 1, 2].map(nearPrime) }),
    cell("OK/debt-to-income", "OK/debt-to-income", { unchanged: 1_400 }),
    cell("OK/standard", "OK/debt-to-income", { changed: 194, examples: [0, 1].map(refused) }),
    cell("OK/prime", "ERROR/EVALUATION_FAILED", { changed: 6, examples: [failing()] }),
    cell("INVALID_INPUT", "INVALID_INPUT", { unchanged: 54 }),
  ],
  numbers: [
    {
      pointer: "/rate",
      count: 1_198,
      higher: 1_004,
      lower: 194,
      meanBefore: 8.1132,
      meanAfter: 8.1311,
      quantiles: { min: -12.9, p05: -12.9, p25: 3, p50: 3, p75: 3, p95: 3, max: 3 },
    },
    {
      pointer: "/offers/*/monthlyInstalment",
      count: 1_198,
      higher: 1_004,
      lower: 194,
      meanBefore: 288.4,
      meanAfter: 301.22,
      quantiles: { min: -402.2, p05: -311, p25: 4.11, p50: 12.4, p75: 31, p95: 88.2, max: 240 },
    },
  ],
  labels: {
    label: "/input/hasDefaulted",
    prediction: "/data/approved",
    agreementBefore: 0.9312,
    agreementAfter: 0.9377,
    rows: [
      { label: "false", prediction: "true", before: 28_400, after: 28_206 },
      { label: "false", prediction: "false", before: 1_100, after: 1_180 },
      { label: "true", prediction: "true", before: 1_031, after: 917 },
      { label: "true", prediction: "false", before: 475, after: 703 },
    ],
  },
});

const shadow: ShadowComparison = {
  ...comparison("loan-approval", {
    before: [{ version: "1.2.0", records: 4_000 }],
    after: [{ version: "2.0.0", records: 4_000 }],
    counts: tally({ unchanged: 3_812, changed: 188 }),
    matrix: [
      cell("OK/prime", "OK/prime", { unchanged: 3_812 }),
      cell("OK/debt-to-income", "OK/standard", { changed: 188, examples: [refused(2)] }),
    ],
  }),
  unpaired: 31,
};

/** What a team could see after it raised a threshold. */
export const typical: ReplayReport = reportWith({
  isWithin: false,
  allowed: 0.005,
  records: 54_243,
  from: "2026-03-01T00:00:12.004Z",
  to: "2026-03-31T23:59:40.120Z",
  counts: tally({
    unchanged: 48_778,
    changed: 1_216,
    failed: 6,
    inconclusive: 230,
    notReproducible: 12,
    skipped: 1,
  }),
  controlled: 49_988,
  reasons: [
    {
      verdict: "inconclusive",
      decisionId: "loan-approval",
      reason: "a rule reads what was masked: /input/customer",
      records: 230,
    },
    {
      verdict: "notReproducible",
      decisionId: "loan-approval",
      reason: "the recorded revision answers otherwise",
      records: 12,
    },
    {
      verdict: "failed",
      decisionId: "loan-approval",
      reason: "Rule 'prime' of loan-approval failed",
      records: 6,
    },
    { verdict: "skipped", decisionId: "credit-line", reason: "the candidate does not have it", records: 1 },
  ],
  decisions: [
    loan,
    comparison("news2", {
      counts: tally({ unchanged: 18_988 }),
      matrix: [cell("OK/low", "OK/low", { unchanged: 18_988 })],
    }),
  ],
  shadows: [shadow],
});

/** A change that is allowed for, in records of a sample. */
export const sampled: ReplayReport = reportWith({
  isWithin: true,
  allowed: 0.01,
  records: 50_000,
  from: "2026-03-01T00:00:12.004Z",
  to: "2026-03-02T23:59:40.120Z",
  counts: tally({ unchanged: 49_993, changed: 7 }),
  estimated: tally({ unchanged: 499_000, changed: 70 }),
  controlled: 50_000,
  decisions: [
    comparison("document-access", {
      counts: tally({ unchanged: 49_993, changed: 7 }),
      estimated: tally({ unchanged: 499_000, changed: 70 }),
      matrix: [
        cell("OK/owner", "OK/owner", { unchanged: 49_993 }),
        cell("OK/owner", "NO_MATCH", {
          changed: 7,
          estimatedChanged: 70,
          examples: [{ ...nearPrime(0), after: { outcome: "NO_MATCH", version: "1.0.0" } }],
        }),
      ],
    }),
  ],
});
