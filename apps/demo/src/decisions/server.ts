import type { ServerOptions } from "@decern/server";

/** What a server of these decisions is told besides. */
export const server: Pick<ServerOptions, "callerProfiles"> = {
  callerProfiles: { "loan-approval": ["strict"] },
};
