import { type Decision, program } from "./decision.js";

/** What a decision is evaluated with when a call brings no profile: the one that its host gave, else `{}`. */
export function defaultProfile(decision: Decision): unknown {
  return decision[program].boundProfile;
}
