/** The revision that evaluates a file. If any of it differs, results may differ. */
export interface Revision {
  readonly decision: { readonly id: string; readonly version: string };
  /** As the host says. */
  readonly build?: string;
  /** Of the decision's profile, as records have it. */
  readonly profileHash: string;
  /** Of rules and schemas, and of the profiles and rules of decisions that are used. */
  readonly fingerprint: string;
}
