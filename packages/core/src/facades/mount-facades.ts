import { type Awaitable, isThenable } from "../awaitable.js";
import { CallChooser, type ProfilePolicy } from "../catalogue/call-chooser.js";
import type { Catalogue } from "../catalogue/catalogue.js";
import { DecisionHandlers } from "../catalogue/decision-handlers.js";
import { DecernError, type Problem } from "../errors.js";
import type { EvaluationPipeline } from "../evaluation/evaluation-pipeline.js";
import type { DecisionReply } from "../host/decision-reply.js";
import { whenRoom } from "../room.js";
import type { Facade, FacadeCall, FacadeHost, FacadeRequest } from "./facade.js";
import { MountedRoute } from "./mounted-route.js";
import { takeWork } from "./pending-work.js";

/** What evaluates the calls of facades: the same as for the host's own routes. */
interface FacadeMount {
  readonly catalogue: Catalogue;
  readonly pipeline: EvaluationPipeline;
  readonly policy: ProfilePolicy;
}

/**
 * Makes the routes of a host's facades. The catalogue has checked that it serves what they evaluate.
 *
 * @throws DecernError `INVALID_OPTIONS` for a route that an earlier facade has, or that a facade refuses to make
 */
export function mountFacades(
  facades: readonly Facade[] | undefined,
  { catalogue, pipeline, policy }: FacadeMount,
): readonly MountedRoute[] {
  // Of these, one decision has been asked for at least.
  const asked = new WeakSet<FacadeRequest>();
  const onceRoom = <T>(work: () => Awaitable<T>): Awaitable<T> => {
    const waiting = whenRoom(pipeline);
    return isThenable(waiting) ? waiting.then(work) : work();
  };
  const host: FacadeHost = {
    handlerOf({ id }) {
      const hosted = catalogue.get(id);
      if (hosted === undefined) throw new DecernError("DECISION_NOT_FOUND", { detail: id });
      const chooser = new CallChooser(catalogue, hosted, policy, hosted.shadow);
      const reader = {
        input: ({ input }: FacadeCall) => input(),
        origin: ({ request }: FacadeCall) => request.origin(),
      };
      const { standard } = new DecisionHandlers<FacadeCall>(pipeline, hosted, chooser, reader);
      return {
        handle(call, requestId, onResult) {
          const keep = (reply: DecisionReply): DecisionReply => {
            const { afterwards } = reply;
            if (afterwards !== undefined) takeWork(call.request, () => void onceRoom(afterwards));
            return reply;
          };
          const evaluate = (): Awaitable<DecisionReply> => {
            const reply = standard.handle(call, requestId, onResult);
            return isThenable(reply) ? reply.then(keep) : keep(reply);
          };
          // A request that asks for more than one is a list.
          if (asked.has(call.request)) return onceRoom(evaluate);
          asked.add(call.request);
          return evaluate();
        },
      };
    },
  };
  const routes = (facades ?? []).flatMap((facade) =>
    facade.mount(host).map((route) => new MountedRoute(facade, route)),
  );
  const problems = repeated(routes);
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "facades", problems });
  return routes;
}

function repeated(routes: readonly MountedRoute[]): readonly Problem[] {
  const seen = new Set<string>();
  return routes.flatMap(({ method, path, facade }) => {
    const route = `${method} ${path}`;
    if (!seen.has(route)) {
      seen.add(route);
      return [];
    }
    return [{ path: "/facades", message: `${facade} serves ${route}, as an earlier facade does` }];
  });
}
