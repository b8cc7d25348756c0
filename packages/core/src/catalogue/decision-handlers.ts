import type { ErrorCode } from "../errors.js";
import type { EvaluationPipeline } from "../evaluation/evaluation-pipeline.js";
import { type CallReader, createCallHandler, type RequestHandler } from "../host/call-handler.js";
import type { HostedDecision, HostedVersion } from "../versions/hosted-decision.js";
import type { CallChooser } from "./call-chooser.js";

/** Handles the requests for one id, with a version in the path and without. */
export class DecisionHandlers<Request> {
  /** Handles requests that name no version. */
  readonly standard: RequestHandler<Request, unknown>;
  readonly #versions: ReadonlyMap<string, RequestHandler<Request, unknown>>;
  readonly #retired: ReadonlySet<string>;

  constructor(
    pipeline: EvaluationPipeline,
    { standard, versions, retired }: HostedDecision,
    chooser: CallChooser,
    reader: Pick<CallReader<Request, unknown>, "input" | "origin">,
  ) {
    const handlerOf = (
      { decision }: HostedVersion,
      pinned?: HostedVersion,
    ): RequestHandler<Request, unknown> =>
      createCallHandler(pipeline, decision, {
        ...reader,
        choose: (_request, input, origin) => chooser.choose(input, origin, undefined, pinned),
      });
    this.standard = handlerOf(standard);
    this.#versions = new Map(
      [...versions].map(([name, version]) => [name, handlerOf(version, version)] as const),
    );
    this.#retired = retired;
  }

  /**
   * Finds the handler of requests that name a version, or the code of the reply to them.
   *
   * @param version - as a router reads it from the path, decoded
   */
  find(version: unknown): RequestHandler<Request, unknown> | (ErrorCode & `VERSION_${string}`) {
    if (typeof version !== "string") return "VERSION_NOT_FOUND";
    const handler = this.#versions.get(version);
    if (handler !== undefined) return handler;
    return this.#retired.has(version) ? "VERSION_RETIRED" : "VERSION_NOT_FOUND";
  }
}
