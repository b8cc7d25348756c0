import type { NextFunction, Request, Response } from "express";

/** A middleware of Express that leaves the parameters of its route to be typed by the route. */
export type DecisionRequestHandler = <Params extends Request["params"]>(
  request: Request<Params>,
  response: Response,
  next: NextFunction,
) => void;
