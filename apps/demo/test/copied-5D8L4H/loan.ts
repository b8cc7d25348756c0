import { loans } from "../browser/loans.js";
export const [, loan] = loans;
