import {
  createSingleService,
  decisionRows,
  type GuardedExchange,
  guard,
  Handler,
  type Target,
  verdictProblems,
} from "../src/host.js";
import { type HostRequest, replyOf } from "../src/http/reply.js";
import {
  type Awaitable,
  DecernError,
  type Decision,
  type EvaluatorOptions,
  type Origin,
  type Reply,
  type Result,
} from "../src/index.js";
import type { Generation } from "../src/service/generation.js";
import { unknownOrigin } from "../src/service/request-view.js";
import { isThenable } from "../src/tools.js";

/** How a request becomes a call of one decision. */
export interface RequestReader<Request> {
  readonly input: (request: Request) => unknown;
  readonly origin?: ((request: Request) => Origin) | undefined;
  /** The host's profile for this request. */
  readonly profile?: ((request: Request) => unknown) | undefined;
}

type OnResult<Output> = (result: Result<Output>) => unknown;

/** The reply of an exchange that a test watches. */
type Ending = Omit<GuardedExchange, "source" | "origin" | "input" | "sent" | "pass"> &
  Partial<Pick<GuardedExchange, "pass">>;

/** A host of one decision, as an adapter makes it. */
export class TestHost<Request, Output> {
  readonly handler: Handler<Request>;
  readonly target: Target;
  readonly #reader: RequestReader<Request>;

  constructor(
    options: EvaluatorOptions,
    decision: Decision<unknown, Output>,
    reader: RequestReader<Request>,
  ) {
    const given = { ...options, decision, profileResolver: reader.profile };
    // What needs a profile may still get one: these tests are about what happens then.
    const service = createSingleService<Request>("test", given, { rows: decisionRows });
    this.handler = new Handler(service);
    this.target = targetOf(service.catalogue.current);
    this.#reader = reader;
  }

  asking(request: Request, requestId: string): HostRequest<Request> {
    const { input, origin = () => unknownOrigin } = this.#reader;
    return { source: request, requestId, origin: () => origin(request), input: () => input(request) };
  }

  handle(request: Request, requestId: string, onResult?: OnResult<Output>): Awaitable<Reply> {
    // The decision of this host makes no other results.
    const run = this.handler.run(this.asking(request, requestId), this.target, onResult as OnResult<unknown>);
    return isThenable(run) ? run.then(replyOf) : replyOf(run);
  }

  respond(request: Request, exchange: Ending, onResult?: OnResult<Output>): void {
    const asking = this.asking(request, exchange.requestId);
    this.handler.respond({ ...exchange, ...asking }, this.target, onResult as OnResult<unknown>);
  }

  guard(
    request: Request,
    exchange: Omit<GuardedExchange, "source" | "origin" | "input" | "sent">,
    isDenied?: OnResult<Output>,
    onDeny?: OnResult<Output>,
  ): void {
    const asking = this.asking(request, exchange.requestId);
    const denies = isDenied as OnResult<unknown> | undefined;
    guard(this.handler, { ...exchange, ...asking }, this.target, denies, onDeny as OnResult<unknown>);
  }
}

export function createRequestHandler<Request, Output>(
  options: EvaluatorOptions,
  decision: Decision<unknown, Output>,
  reader: RequestReader<Request>,
): TestHost<Request, Output> {
  return new TestHost(options, decision, reader);
}

interface Verdict {
  readonly allowed: boolean;
  readonly result: Result | undefined;
  /** For the host's error handling. */
  readonly thrown?: unknown;
}

/** Asks a guard, and tells how it ended. */
export function createAccessCheck<Request, Output>(
  decision: Decision<unknown, Output>,
  host: TestHost<Request, Output>,
  isDenied?: OnResult<Output>,
): (request: Request, requestId: string, onDeny?: OnResult<Output>) => Promise<Verdict> {
  const problems = verdictProblems(decision, isDenied);
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { problems });
  return (request, requestId, onDeny) =>
    new Promise((resolve) => {
      let result: Result | undefined;
      const exchange = {
        requestId,
        handsOverHostErrors: true,
        onDecided: (decided: Result | undefined) => {
          result = decided;
        },
        hasBegun: () => false,
        hasEnded: () => false,
        write: () => resolve({ allowed: false, result }),
        leave: () => {},
        fail: (thrown: Error) => resolve({ allowed: false, result, thrown }),
        pass: () => resolve({ allowed: true, result }),
      };
      host.guard(request, exchange, isDenied, onDeny);
    });
}

/** Sends one request through the handler of a decision, as an adapter would. */
export async function send<Output>(
  decision: Decision<unknown, Output>,
  reader: Partial<RequestReader<unknown>>,
  options: EvaluatorOptions = {},
  onResult?: ((result: Result<Output>) => unknown) | undefined,
): Promise<Reply> {
  const handler = createRequestHandler(options, decision, { input: () => ({}), ...reader });
  return handler.handle({}, "req-1", onResult);
}

/** What a service of one decision evaluates. */
export function targetOf({ only }: Generation): Target {
  if (typeof only === "string") throw new Error(only);
  return only;
}
