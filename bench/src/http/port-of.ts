import type { AddressInfo } from "node:net";

/** The port of what `address()` answers. */
export function portOf(address: AddressInfo | string | null): number {
  if (typeof address !== "object" || address === null) throw new TypeError("not listening on a port");
  return address.port;
}
