import express from "express";
import { evaluateLoan, inputOf, statusOf } from "../plain-handler.js";
import { portOf } from "../port-of.js";

/** Bare Express 5 with a plain handler. */
export async function listen(): Promise<number> {
  const app = express();
  app.post("/decisions/loan-approval", express.json(), (request, response) => {
    const result = evaluateLoan(inputOf(request.body));
    response.status(statusOf(result)).json(result);
  });
  return new Promise((resolve) => {
    const server = app.listen(0, "127.0.0.1", () => resolve(portOf(server.address())));
  });
}
