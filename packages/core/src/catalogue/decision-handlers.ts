import type { ErrorCode } from "../errors.js";
import type { EvaluationPipeline } from "../evaluation/evaluation-pipeline.js";
import { createCallHandler, type RequestHandler } from "../host/call-handler.js";
import type { CallReader } from "../host/call-reader.js";
import type { ReplyEncoder } from "../host/decision-reply.js";
import type { BoundProfiles } from "../profiles/bound-profiles.js";
import type { SentProfile } from "../profiles/profile-resolver.js";
import type { HostedDecision, HostedVersion } from "../versions/hosted-decision.js";
import type { CallChooser } from "./call-chooser.js";

/** How the requests of a host that serves several decisions become calls. */
export interface DecisionReader<Request> extends Pick<CallReader<Request, unknown>, "input" | "origin"> {
  /** What the caller sent of a profile. @default nothing */
  readonly sent?: ((request: Request) => SentProfile | undefined) | undefined;
  /** The set of profiles that evaluates the request. @default the newest */
  readonly profiles?: ((request: Request) => BoundProfiles | undefined) | undefined;
}

/** Handles the requests for one id, with a version in the path and without. */
export class DecisionHandlers<Request> {
  /** Handles requests that name no version. */
  readonly standard: RequestHandler<Request, unknown>;
  readonly #versions: ReadonlyMap<string, RequestHandler<Request, unknown>>;
  readonly #retired: ReadonlySet<string>;

  /** @param encoder - writes the reply to a call. @default one that writes the envelope */
  constructor(
    pipeline: EvaluationPipeline,
    { standard, versions, retired, isFixed }: HostedDecision,
    chooser: CallChooser,
    { input, origin, sent, profiles }: DecisionReader<Request>,
    encoder?: ReplyEncoder | undefined,
  ) {
    const handlerOf = (
      { decision }: HostedVersion,
      pinned?: HostedVersion,
    ): RequestHandler<Request, unknown> => {
      const reader: CallReader<Request, unknown> = {
        input,
        origin,
        choose: (request, value, from) =>
          chooser.choose(value, from, sent?.(request), pinned, profiles?.(request)),
        isSteady: chooser.isSteady && (pinned !== undefined || isFixed),
        selectedBy: chooser.selectedBy(pinned),
      };
      return createCallHandler(pipeline, decision, reader, encoder);
    };
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
