import { timingSafeEqual } from "node:crypto";
import { createWarehouseHandler } from "@decern/warehouse";
import express from "express";
import { loanApproval } from "./decisions.js";

const secret = Buffer.from(process.env["PROXY_SECRET"] ?? "");

express().post(
  "/loans",
  createWarehouseHandler({
    engine: "snowflake",
    decision: loanApproval,
    profile: { minScore: 620, maxAmount: 50_000 },
    columns: ["amount", "score"],
    authenticate: ({ headers }) => {
      const sent = Buffer.from(String(headers["x-proxy-secret"]));
      const isKnown = secret.length > 0 && sent.length === secret.length && timingSafeEqual(sent, secret);
      return isKnown ? { caller: "snowflake" } : false;
    },
  }),
);
