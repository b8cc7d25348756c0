import type { NextFunction, Request, Response } from "express";

/** An Express middleware that lets its route infer the types of its parameters. */
export type DecisionRequestHandler = <Params extends Request["params"]>(
  request: Request<Params>,
  response: Response,
  next: NextFunction,
) => void;
