import type { FacadeRequest } from "./facade.js";

/** Work that must not delay a reply, such as the evaluation of a candidate beside the decision. */
type Work = () => void;

const pending = new WeakMap<FacadeRequest, Work[]>();

/** Keeps work until the request has been answered. */
export function takeWork(request: FacadeRequest, work: Work): void {
  const kept = pending.get(request);
  if (kept === undefined) pending.set(request, [work]);
  else kept.push(work);
}

/** What is to be done once a request has been answered. */
export function workOf(request: FacadeRequest): readonly Work[] {
  return pending.get(request) ?? [];
}
