import { loan } from "./loan.mjs";

export const decisions = [loan(), loan({ version: "1.1.0", most: 4999 })];
export const profiles = { loan: { small: 100 } };
export const versions = { loan: { default: "1.1.0" } };
