import type { ErrorCode } from "../base/errors.js";
import type { CallReader } from "../service/call.js";
import type { CallChooser } from "../service/choice.js";
import type { EvaluationPipeline } from "../service/pipeline.js";
import type { SentProfile } from "../service/profile-source.js";
import type { BoundProfiles } from "../service/profiles.js";
import type { HostedDecision, HostedVersion } from "../service/versions.js";
import { createCallHandler, type RequestHandler } from "./handler.js";
import type { ReplyEncoder } from "./reply.js";

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
