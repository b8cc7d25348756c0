/** One call, as the test knows it. */
export interface Call {
  readonly id: string;
  readonly input: unknown;
  /** The caller's own. */
  readonly profile?: unknown;
  readonly requestId: string;
}

/** Random numbers that are the same every time (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Calls of the demo's decisions, many of them near a threshold. */
export function* generatedCalls(count: number, seed: number): Generator<Call> {
  const random = randomFrom(seed);
  const whole = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1));
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
    items[Math.floor(random() * items.length)] ?? items[0];
  /** Half of the values are next to one of these. */
  const near = (from: number, to: number, ...lines: readonly number[]): number =>
    lines.length > 0 && random() < 0.5
      ? (lines[Math.floor(random() * lines.length)] ?? from) + whole(-1, 1)
      : whole(from, to);

  const applicant = () => ({
    age: near(16, 90, 18, 60, 70),
    income: near(0, 120, 12, 30) * 1000,
    creditScore: near(300, 850, 620, 680, 740),
    employment: pick(["employed", "self-employed", "retired", "student", "unemployed"]),
  });
  const card = () => ({
    status: random() < 0.97 ? "active" : pick(["lost", "stolen"]),
    expiry: random() < 0.97 ? "2099-12" : "2020-01",
    ...(random() < 0.8 ? { cvvMatches: random() < 0.97 } : {}),
  });
  const country = () => pick(["DE", "DE", "DE", "US", "KP"]);
  const payment = () => ({
    card: card(),
    cardPresent: random() < 0.5,
    merchantCategory: pick(["5411", "5732", "6051", "7995"]),
    country: country(),
    accountAgeDays: near(0, 900, 30),
    paymentsLastHour: near(0, 15, 10),
  });
  const made: readonly [() => Omit<Call, "requestId">, ...(() => Omit<Call, "requestId">)[]] = [
    () => ({
      id: "loan-approval",
      input: {
        applicant: applicant(),
        amount: random() < 0.3 ? near(74_000, 76_000, 75_000) : whole(1000, 60_000),
        termMonths: near(6, 120, 12, 60),
        country: country(),
        ...(random() < 0.5 ? { customer: `C-${whole(1000, 9_999_999)}` } : {}),
      },
      ...(random() < 0.1
        ? { profile: { minScore: 560, maxDti: 0.4, maxAmount: 75_000, blockedCountries: [] } }
        : {}),
    }),
    () => ({
      id: "transaction-risk",
      input: { ...payment(), amount: near(1, 2000, 1000), homeCountry: "DE" },
    }),
    () => ({
      id: "news2",
      input: {
        respirationRate: near(5, 30, 8, 11, 20, 24),
        spo2: near(80, 100, 83, 85, 87, 91, 93, 95, 92, 94, 96),
        ...(random() < 0.5 ? { spo2Scale: pick([1, 2]) } : {}),
        breathing: pick(["air", "oxygen"]),
        systolicBloodPressure: near(80, 230, 90, 100, 110, 219),
        pulse: near(35, 140, 40, 50, 90, 110, 130),
        consciousness: random() < 0.9 ? "A" : pick(["C", "V", "P", "U"]),
        temperature: near(340, 400, 350, 360, 380, 390) / 10,
      },
    }),
    () => ({
      id: "document-access",
      input: {
        user: {
          id: pick(["amara", "bela"]),
          department: pick(["finance", "press"]),
          roles: [pick(["staff", "editor", "director", "guest"])],
          ...(random() < 0.1 ? { suspended: true } : {}),
        },
        document: {
          owner: pick(["amara", "bela", "chen"]),
          department: pick(["finance", "press"]),
          classification: pick(["public", "internal", "confidential", "secret"]),
          ...(random() < 0.1 ? { legalHold: true } : {}),
        },
        // The last one is no action: such calls are refused.
        action: pick(["read", "read", "edit", "delete", "share", "burn"]),
      },
    }),
    () => ({
      id: "instalment-plan",
      input: {
        price: near(100, 3000, 1000),
        deposit: near(1, 400, 100),
        months: near(6, 36, 12, 24),
        homeCountry: pick(["DE", "DE", "KP"]),
        applicant: applicant(),
        payment: payment(),
      },
    }),
  ];
  // The last one evaluates two others, which takes longer: there are fewer of them.
  const last = made.length - 1;
  for (let index = 0; index < count; index += 1) {
    const make = made[index % 20 === 0 ? last : index % last] ?? made[0];
    yield { ...make(), requestId: `request-${index}` };
  }
}
