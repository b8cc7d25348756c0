import {
  createService,
  createSingleService,
  guard,
  Handler,
  Many,
  type Service,
  type Target,
} from "../../src/host.js";
import { envelope, type HostRequest, traced } from "../../src/http/reply.js";
import * as core from "../../src/index.js";
import { evaluateCall, isThenable, probe } from "../../src/tools.js";
import { targetOf } from "../fixtures-http.js";
import type { Asked, At, Callback, Driver, HarnessExchange, SeveralOptions } from "./driver.js";

/** Drives the core as it is, as its hosts do. */
export const currentDriver: Driver = {
  core,
  single({ isDenied, ...options }) {
    const service = createSingleService<Asked>("harness", options);
    const handler = new Handler(service);
    const only = targetOf(service.catalogue.current);
    return {
      respond: (asked, exchange, onResult) => handler.respond(exchangeOf(asked, exchange), only, onResult),
      guard: (asked, exchange, onDeny) => guard(handler, exchangeOf(asked, exchange), only, isDenied, onDeny),
    };
  },
  several: (options) => new CurrentSet(options),
  evaluateCall: (decision, call) => evaluateCall({ decision, ...call }),
  probe: (decision, call) => probe({ decision, ...call }),
};

function exchangeOf(asked: Asked, exchange: HarnessExchange): HarnessExchange & HostRequest<Asked> {
  const { origin, input, sent } = asked;
  return { ...exchange, source: asked, origin, input, sent: () => sent };
}

class CurrentSet {
  readonly #service: Service;
  readonly #handler: Handler<unknown>;
  readonly #isTraced: boolean;

  constructor({ override, traced: isTraced = false, profileResolver, ...options }: SeveralOptions) {
    // Plays give resolvers and policies that break their types on purpose.
    const given = { ...options, profileResolver } as Parameters<typeof createService>[1];
    this.#service = createService("harness", given, { override });
    this.#isTraced = isTraced;
    this.#handler = new Handler(this.#service, isTraced ? traced : envelope);
  }

  respond(at: At, asked: Asked, exchange: HarnessExchange, onResult?: Callback | undefined) {
    const target = this.#find(at);
    if (typeof target === "string") return target;
    this.#handler.respond(exchangeOf(asked, exchange), target, onResult);
    return undefined;
  }

  async *many(at: At, { origin, sent }: Omit<Asked, "input">, inputs: readonly unknown[]) {
    const target = this.#find(at);
    if (typeof target === "string") throw new Error(target);
    const shared = inputs.length > 1 ? { shared: new Map() } : {};
    const asked = {
      target,
      origin: origin(),
      requestId: "many-1",
      sent: sent && { ...sent, ...shared },
      source: undefined,
    };
    const many = new Many(this.#service, asked, this.#isTraced ? traced : envelope);
    for (const input of inputs) {
      const reply = many.evaluate(input);
      yield isThenable(reply) ? await reply : reply;
    }
  }

  stop(): Promise<void> {
    return this.#service.stop();
  }

  #find({ id, version }: At): Target | core.ErrorCode {
    return this.#service.catalogue.current.find(id, version);
  }
}
