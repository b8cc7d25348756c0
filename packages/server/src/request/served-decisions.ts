import { DecernError, type ProfileOverride, type ProfileResolver } from "@decern/core";
import {
  CallChooser,
  DecisionHandlers,
  type DecisionReader,
  type EvaluationPipeline,
  type HostedDecision,
  type ReplyEncoder,
  type RequestHandler,
} from "@decern/core/host";
import type { Catalogue } from "@decern/core/tools";

/** How decisions are evaluated. */
export interface ServingOptions {
  readonly catalogue: Catalogue;
  readonly pipeline: EvaluationPipeline;
  readonly profileOverride: ProfileOverride;
  readonly profileResolver: ProfileResolver | undefined;
  /** Whether calls are evaluated by shadow candidates too. @default true */
  readonly shadows?: boolean | undefined;
  /** Writes the reply to an evaluation. @default one that writes the envelope */
  readonly encoder?: ReplyEncoder | undefined;
}

/** What a path names. */
interface Served<Request> {
  readonly hosted: HostedDecision;
  readonly handler: RequestHandler<Request, unknown>;
}

/** The decisions of a service, each with what evaluates requests. */
export class ServedDecisions<Request> {
  readonly #served: ReadonlyMap<string, { hosted: HostedDecision; handlers: DecisionHandlers<Request> }>;

  constructor(options: ServingOptions, reader: DecisionReader<Request>) {
    const { catalogue, pipeline, profileOverride, profileResolver, shadows = true, encoder } = options;
    const policy = { profileResolver, merges: profileOverride === "merge" };
    this.#served = new Map(
      [...catalogue.decisions].map(([id, hosted]) => {
        const chooser = new CallChooser(catalogue, hosted, policy, shadows ? hosted.shadow : undefined);
        return [id, { hosted, handlers: new DecisionHandlers(pipeline, hosted, chooser, reader, encoder) }];
      }),
    );
  }

  /** @throws DecernError `DECISION_NOT_FOUND`, `VERSION_NOT_FOUND` or `VERSION_RETIRED` */
  find({ id, version }: { readonly id: string; readonly version?: string }): Served<Request> {
    const one = this.#served.get(id);
    if (one === undefined) throw new DecernError("DECISION_NOT_FOUND");
    const { hosted, handlers } = one;
    const handler = version === undefined ? handlers.standard : handlers.find(version);
    if (typeof handler === "string") throw new DecernError(handler);
    return { hosted, handler };
  }
}
