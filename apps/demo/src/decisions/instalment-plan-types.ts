import { Type } from "typebox";
import { inputType as loanType } from "./loan-approval-rules.js";
import { inputType as cardPaymentType } from "./transaction-risk-signals.js";

const { amount: _amount, homeCountry, ...depositProperties } = cardPaymentType.properties;

export const inputType = Type.Object(
  {
    price: Type.Number({
      title: "Price",
      description: "Of everything in the basket",
      exclusiveMinimum: 0,
      maximum: 1_000_000,
      examples: [1_200],
    }),
    deposit: Type.Number({
      title: "Deposit",
      description: "Paid now, by card",
      exclusiveMinimum: 0,
      maximum: 1_000_000,
      examples: [200],
    }),
    months: Type.Integer({
      title: "Months",
      description: "In how many instalments the rest is paid",
      minimum: 6,
      maximum: 60,
      examples: [12],
    }),
    homeCountry,
    applicant: loanType.properties.applicant,
    payment: Type.Object(depositProperties, {
      title: "Card payment",
      description: "How the deposit is paid",
      additionalProperties: false,
    }),
  },
  { title: "Purchase", additionalProperties: false },
);

export const outputType = Type.Object(
  {
    outcome: Type.Enum(["offered", "confirm-card", "declined", "not-needed"], {
      type: "string",
      title: "Outcome",
      description: "`confirm-card` offers the plan once the card holder has confirmed the deposit",
    }),
    rate: Type.Number({ title: "Rate", description: "Per cent per year; 0 without a plan", minimum: 0 }),
    monthly: Type.Number({ title: "Instalment", description: "Each month; 0 without a plan", minimum: 0 }),
    reason: Type.String({ title: "Reason", description: "Shown to the customer" }),
  },
  { title: "Instalment plan", additionalProperties: false },
);

export const profileType = Type.Object(
  {
    minDepositShare: Type.Number({
      title: "Lowest deposit",
      description: "As a share of the price",
      minimum: 0,
      maximum: 1,
      examples: [0.1],
    }),
    interestFreeMonths: Type.Integer({
      title: "Interest-free months",
      description: "Longest plan that costs a customer with the best credit nothing; 0 for none",
      minimum: 0,
      maximum: 60,
      examples: [12],
    }),
  },
  { title: "Instalment policy", additionalProperties: false },
);
