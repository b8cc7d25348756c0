import type { Decision, ErrorCode, EvaluatorOptions, Result } from "../../src/index.js";
import type {
  Asked,
  At,
  Callback,
  Core,
  Driver,
  EarlierCall,
  HarnessExchange,
  ItemReply,
  Origin,
  Sent,
  SeveralOptions,
} from "./driver.js";

/** What the host entry of the baseline exports, as far as it is used here. Its own types went with it. */
export interface BaselineHost {
  readonly EvaluationPipeline: new (options: EvaluatorOptions) => Pipeline;
  readonly CallChooser: new (
    catalogue: Catalogue,
    hosted: Hosted,
    policy: object,
    shadow: unknown,
  ) => Chooser;
  readonly DecisionHandlers: new (
    pipeline: Pipeline,
    hosted: Hosted,
    chooser: Chooser,
    reader: object,
    encoder?: unknown,
  ) => Handlers;
  readonly tracingReplyEncoder: unknown;
  readonly decisionOptionKinds: object;
  prepareDecision(owner: string, options: object, kinds: object): Decision;
  prepareCatalogue(owner: string, options: object, found: readonly never[], host: object): Catalogue;
  createRequestHandler(pipeline: Pipeline, decision: Decision, reader: object): Handler;
  createAccessCheck(decision: Decision, handler: Handler, isDenied: unknown): object;
  guard(check: object, request: Asked, exchange: HarnessExchange, onDeny?: Callback | undefined): void;
  reevaluate(decision: Decision, call: object): unknown;
  probe(decision: Decision, call: object): unknown;
}

interface Pipeline {
  readonly hookTimeoutMs: number;
}

interface Chooser {
  readonly isSteady: boolean;
}

interface Catalogue {
  readonly profiles: unknown;
  get(id: string): Hosted | undefined;
  stop(): Promise<void>;
}

interface Hosted {
  readonly shadow: unknown;
}

interface Handlers {
  readonly standard: Handler;
  find(version: unknown): Handler | ErrorCode;
}

interface Handler {
  respond(asked: object, exchange: HarnessExchange, onResult?: Callback | undefined): void;
  handleMany(
    requestOf: (input: unknown) => object,
    requestId: string,
  ): (input: unknown) => ItemReply | PromiseLike<ItemReply>;
}

/** One of many inputs of a request. */
interface Item {
  readonly input: unknown;
  readonly origin: Origin;
  readonly sent: Sent | undefined;
  readonly profiles: unknown;
}

/** Drives the baseline, as its hosts did. */
export function baselineDriver(core: Core, host: BaselineHost): Driver {
  return {
    core,
    single({ isDenied, ...options }) {
      const decision = host.prepareDecision("harness", options, host.decisionOptionKinds);
      const { profileResolver } = options;
      const handler = host.createRequestHandler(new host.EvaluationPipeline(options), decision, {
        input: ({ input }: Asked) => input(),
        origin: ({ origin }: Asked) => origin(),
        profile: profileResolver,
      });
      return {
        respond: (asked, exchange, onResult) => handler.respond(asked, exchange, onResult),
        guard: (asked, exchange, onDeny) =>
          host.guard(host.createAccessCheck(decision, handler, isDenied), asked, exchange, onDeny),
      };
    },
    several: (options) => new BaselineSet(host, options),
    evaluateCall: (decision, call) => host.reevaluate(decision, call),
    probe: (decision, call: EarlierCall) => host.probe(decision, call),
  };
}

class BaselineSet {
  readonly #host: BaselineHost;
  readonly #options: SeveralOptions;
  readonly #catalogue: Catalogue;
  readonly #pipeline: Pipeline;

  constructor(host: BaselineHost, options: SeveralOptions) {
    this.#host = host;
    this.#options = options;
    const isOpen = { fromCallers: options.override !== false };
    this.#catalogue = host.prepareCatalogue("harness", options, [], isOpen);
    const { hooks, observers, clock, logger, hookTimeoutMs, log } = options;
    this.#pipeline = new host.EvaluationPipeline({ hooks, observers, clock, logger, hookTimeoutMs, log });
  }

  respond(at: At, asked: Asked, exchange: HarnessExchange, onResult?: (result: Result) => unknown) {
    const handler = this.#find(at, {
      input: ({ input }: Asked) => input(),
      origin: ({ origin }: Asked) => origin(),
      sent: ({ sent }: Asked) => sent,
    });
    if (typeof handler === "string") return handler;
    handler.respond(asked, exchange, onResult);
    return undefined;
  }

  async *many(at: At, { origin, sent }: Omit<Asked, "input">, inputs: readonly unknown[]) {
    const handler = this.#find(at, {
      input: ({ input }: Item) => input,
      origin: (item: Item) => item.origin,
      sent: (item: Item) => item.sent,
      profiles: ({ profiles }: Item) => profiles,
    });
    if (typeof handler === "string") throw new Error(handler);
    const shared = {
      origin: origin(),
      sent: sent && { ...sent, isShared: inputs.length > 1 },
      profiles: this.#catalogue.profiles,
    };
    const evaluate = handler.handleMany((input): Item => ({ input, ...shared }), "many-1");
    for (const input of inputs) yield await evaluate(input);
  }

  stop(): Promise<void> {
    return this.#catalogue.stop();
  }

  #find({ id, version }: At, reader: object): Handler | ErrorCode {
    const hosted = this.#catalogue.get(id);
    if (hosted === undefined) return "DECISION_NOT_FOUND";
    const { profileResolver, override, traced } = this.#options;
    const policy = { profileResolver, merges: override === "merge" };
    const chooser = new this.#host.CallChooser(this.#catalogue, hosted, policy, hosted.shadow);
    const encoder = traced === true ? this.#host.tracingReplyEncoder : undefined;
    const handlers = new this.#host.DecisionHandlers(this.#pipeline, hosted, chooser, reader, encoder);
    return version === undefined ? handlers.standard : handlers.find(version);
  }
}
