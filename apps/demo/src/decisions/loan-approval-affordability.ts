import type { Static } from "typebox";
import { monthlyInstalment } from "./instalment.js";
import type { inputType } from "./loan-approval-types.js";

/** Share of the monthly income that the instalment takes at a yearly rate in per cent; infinite without an income. */
export function debtToIncome(
  { applicant, amount, termMonths }: Static<typeof inputType>,
  yearlyPercent: number,
): number {
  if (applicant.income === 0) return Number.POSITIVE_INFINITY;
  return monthlyInstalment(amount, yearlyPercent, termMonths) / (applicant.income / 12);
}

/** A share as text. */
export function percent(share: number): string {
  return Number.isFinite(share) ? `${Math.round(share * 1000) / 10} %` : "more than 100 %";
}
