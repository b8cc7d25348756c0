import express from "express";
import { evaluateLoan, statusOf } from "../plain-handler.js";
import { portOf } from "../port-of.js";

/** A route written by hand in an Express application; the body is the input. */
export async function listen(): Promise<number> {
  const app = express();
  app.post("/decisions/loan-approval", express.json(), (request, response) => {
    const result = evaluateLoan(request.body);
    response.status(statusOf(result)).json(result);
  });
  return new Promise((resolve) => {
    const server = app.listen(0, "127.0.0.1", () => resolve(portOf(server.address())));
  });
}
