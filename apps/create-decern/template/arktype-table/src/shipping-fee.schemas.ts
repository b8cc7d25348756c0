import { type } from "arktype";

export const parcel = type({
  zone: "'home' | 'eu' | 'world'",
  weightKg: "0 <= number <= 30",
  express: "boolean",
});
export const shipping = type({ fee: "number >= 0", carrier: "'post' | 'courier'" });
export const nothing = type({});
