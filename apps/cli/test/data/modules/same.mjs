import { loan } from "./loan.mjs";

export const decisions = [loan()];
export const profiles = { loan: { small: 100 } };
