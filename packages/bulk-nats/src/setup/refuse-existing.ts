import { DecernError, type Problem } from "@decern/core";

/**
 * @param what - what is there already
 * @throws DecernError `INVALID_OPTIONS` where it has problems
 */
export function refuseExisting(what: string, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  throw new DecernError("INVALID_OPTIONS", {
    detail: `setUpNats: ${what} exists with other settings`,
    problems,
  });
}
