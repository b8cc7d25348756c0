import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { typebox } from "@decern/schema";
import { readTable, tableContract } from "@decern/table";
import { Type } from "typebox";

const inputType = Type.Object(
  {
    zone: Type.Enum(["home", "eu", "world"], { type: "string", title: "Zone" }),
    parcel: Type.Object(
      { weightKg: Type.Number({ title: "Weight in kg", exclusiveMinimum: 0, maximum: 30, examples: [2.5] }) },
      { title: "Parcel", additionalProperties: false },
    ),
    express: Type.Optional(Type.Boolean({ title: "Express", default: false })),
  },
  { title: "Parcel to send", additionalProperties: false },
);

const outputType = Type.Object(
  {
    fee: Type.Number({ title: "Fee in EUR", minimum: 0 }),
    carrier: Type.Enum(["post", "freight", "courier"], { type: "string", title: "Carrier" }),
    days: Type.Integer({ title: "Days until delivery", minimum: 1, maximum: 60 }),
  },
  { title: "Shipping", additionalProperties: false },
);

const profileType = Type.Object(
  {
    expressFee: Type.Number({ title: "Surcharge for express in EUR", minimum: 0, maximum: 1000 }),
  },
  { title: "Shipping policy", additionalProperties: false },
);

const parcel = { zone: "home", parcel: { weightKg: 1.2 }, express: false };

const shippingFeeExamples = [
  { name: "A book", input: parcel, expect: { status: "OK", matchedRule: "home-small" } },
  {
    name: "Shoes, without a choice of speed",
    input: { zone: "home", parcel: { weightKg: 4 } },
    expect: { status: "OK", matchedRule: "home-parcel" },
  },
  {
    name: "A bicycle",
    input: { ...parcel, parcel: { weightKg: 18 } },
    expect: { status: "OK", matchedRule: "home-heavy" },
  },
  {
    name: "A present for tomorrow",
    input: { ...parcel, express: true },
    expect: { status: "OK", matchedRule: "home-express" },
  },
  {
    name: "A coat, to Lisbon",
    input: { ...parcel, zone: "eu", parcel: { weightKg: 3 } },
    expect: { status: "OK", matchedRule: "eu-parcel" },
  },
  {
    name: "A suitcase, to Vienna",
    input: { ...parcel, zone: "eu", parcel: { weightKg: 22 } },
    expect: { status: "OK", matchedRule: "eu-heavy" },
  },
  {
    name: "Documents, to Paris by express",
    input: { zone: "eu", parcel: { weightKg: 0.3 }, express: true },
    expect: { status: "OK", matchedRule: "eu-express" },
  },
  {
    name: "A toy, to Osaka",
    input: { ...parcel, zone: "world", parcel: { weightKg: 2 } },
    expect: { status: "OK", matchedRule: "world-parcel" },
  },
  {
    name: "Spare parts, to Lagos by express",
    input: { zone: "world", parcel: { weightKg: 12 }, express: true },
    expect: { status: "OK", matchedRule: "world-express" },
  },
  {
    name: "Furniture, overseas: no row",
    input: { ...parcel, zone: "world", parcel: { weightKg: 25 } },
    expect: { status: "NO_MATCH" },
  },
];

/** What an engineer writes of `shipping-fee`: anything but the rows. */
export const shippingFeeContract = tableContract({
  id: "shipping-fee",
  description: "What it costs to send a parcel, with which carrier, and how long it takes",
  meta: {
    owner: "logistics",
    domain: "shop",
    notFor: "Parcels over 30 kg",
    examples: shippingFeeExamples,
  },
  inputSchema: typebox(inputType),
  outputSchema: typebox(outputType),
  profileSchema: typebox(profileType),
});

/** The workbook that an analyst edits, wherever this module was built to. */
const workbook = createRequire(import.meta.url).resolve("#shipping-fee.xlsx");

export const shippingFee = readTable(shippingFeeContract, {
  name: "shipping-fee.xlsx",
  bytes: readFileSync(workbook),
});
