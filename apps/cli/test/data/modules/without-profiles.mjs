import { loan } from "./loan.mjs";

export const decisions = [loan()];
