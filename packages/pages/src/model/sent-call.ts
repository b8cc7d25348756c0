import type { Reply } from "./reply.js";
import type { SharedCall } from "./share-link.js";

/** The call that a reply answers. */
export function sentCall({ sent: { input, profile, profileName } }: Reply): SharedCall {
  return {
    input,
    ...(profile === undefined ? {} : { profile }),
    ...(profileName === undefined ? {} : { profileName }),
  };
}
