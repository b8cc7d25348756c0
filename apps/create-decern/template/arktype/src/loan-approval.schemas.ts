import { type } from "arktype";

export const application = type({ amount: "number > 0", score: "number.integer" });
export const offer = type({ approved: "boolean", rate: "number" });
export const limits = type({ minScore: "number.integer", maxAmount: "number" });
