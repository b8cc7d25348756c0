/** A loan. */
export interface Loan {
  readonly Amount: number;
  /** Per year. */
  readonly Rate: number;
  readonly Months: number;
}

/** The interest of the first month: long loans cost half a percent more. */
export const interestFeel = "if Months > 60 then Amount * (Rate + 0.005) / 12 else Amount * Rate / 12";

export function interestOf({ Amount, Rate, Months }: Loan): number {
  return Months > 60 ? (Amount * (Rate + 0.005)) / 12 : (Amount * Rate) / 12;
}

/** Loans that all differ. */
export function loans(count: number): readonly Loan[] {
  return Array.from({ length: count }, (_, index) => ({
    Amount: 1000 + 250 * index,
    Rate: (10 + (index % 90)) / 1000,
    Months: 6 + (index % 350),
  }));
}
