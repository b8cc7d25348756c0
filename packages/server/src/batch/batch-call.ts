import type { CallOrigin, DecisionReader, SentProfile } from "@decern/core/host";
import type { Catalogue } from "@decern/core/tools";

/** One of the calls of a request. They share all but the input. */
export interface BatchCall {
  readonly input: unknown;
  readonly sent: SentProfile | undefined;
  readonly origin: CallOrigin;
  /** The set that was in use when the request came: no reply mixes two. */
  readonly profiles: Catalogue["profiles"];
}

/** How core reads a {@link BatchCall}. */
export const batchReader: DecisionReader<BatchCall> = {
  input: ({ input }) => input,
  origin: ({ origin }) => origin,
  sent: ({ sent }) => sent,
  profiles: ({ profiles }) => profiles,
};
