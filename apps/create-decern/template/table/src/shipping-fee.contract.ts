import { tableContract } from "@decern/table";
import { nothing, parcel, shipping } from "./shipping-fee.schemas.js";

export const shippingFee = tableContract({
  id: "shipping-fee",
  description: "What a parcel costs to ship",
  inputSchema: parcel,
  outputSchema: shipping,
  profileSchema: nothing,
});
