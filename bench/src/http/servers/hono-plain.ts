import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { evaluateLoan, inputOf, statusOf } from "../plain-handler.js";

/** Bare Hono on Node with a plain handler. */
export async function listen(): Promise<number> {
  const app = new Hono();
  app.post("/decisions/loan-approval", async (context) => {
    const result = evaluateLoan(inputOf(await context.req.json()));
    return context.json(result, statusOf(result) === 200 ? 200 : 400);
  });
  return new Promise((resolve) => {
    serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => resolve(port));
  });
}
