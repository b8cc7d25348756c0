/** What a loan costs each month, if it is repaid in equal parts. */
export function monthlyInstalment(amount: number, yearlyPercent: number, months: number): number {
  if (yearlyPercent === 0) return amount / months;
  const monthlyRate = yearlyPercent / 1200;
  return (amount * monthlyRate) / (1 - (1 + monthlyRate) ** -months);
}
