import { loan } from "./loan.mjs";

// The threshold moved by one, and the version stayed.
export const decisions = [loan({ most: 4999 })];
export const profiles = { loan: { small: 100 } };
