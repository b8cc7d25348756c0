import type { ProfilesOf } from "@decern/core";
import type { decisions } from "./catalogue.js";

/** What a call is evaluated with when neither the caller nor a profiles file says otherwise. */
export const defaultProfiles: ProfilesOf<typeof decisions> = {
  "loan-approval": { minScore: 620, maxDti: 0.4, maxAmount: 75_000, blockedCountries: ["KP", "IR", "SY"] },
  "transaction-risk": {
    highAmount: 1_000,
    maxPaymentsPerHour: 10,
    challengeScore: 40,
    declineScore: 75,
    riskyMerchantCategories: ["6051", "7995"],
  },
  news2: { monitorEveryHours: { zero: 12, low: 6, lowMedium: 1, medium: 1 } },
  "document-access": {
    clearances: { staff: "internal", editor: "confidential", director: "secret" },
    editorRoles: ["editor", "director"],
  },
};
