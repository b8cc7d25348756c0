/** How an autoscaler of Kubernetes computes, as `deploy/kubernetes.yaml` sets it. */
export interface Autoscaling {
  /** The share of its request that a pod is meant to use. */
  readonly target: number;
  readonly minReplicas: number;
  readonly maxReplicas: number;
}

/** By how much the ratio of use to target may differ from 1 before the autoscaler acts. */
const tolerance = 0.1;

/**
 * The replicas that keep each at the target.
 *
 * @param cores - what all of the load takes
 */
export function replicasFor(cores: number, { target, minReplicas, maxReplicas }: Autoscaling): number {
  return Math.min(maxReplicas, Math.max(minReplicas, Math.ceil(cores / target)));
}

/**
 * The replicas after each decision of the autoscaler, until it makes none. A pod with one process uses one core at most, so a
 * fleet that is far too small shows only a part of its load.
 */
export function scaleUp(cores: number, from: number, autoscaling: Autoscaling): readonly number[] {
  const steps = [from];
  for (;;) {
    const replicas = steps.at(-1) ?? from;
    const ratio = Math.min(1, cores / replicas) / autoscaling.target;
    if (Math.abs(ratio - 1) <= tolerance) return steps;
    // Not more than twice as many in one decision.
    const wanted = Math.min(Math.ceil(replicas * ratio), replicas * 2);
    const next = Math.min(autoscaling.maxReplicas, Math.max(autoscaling.minReplicas, wanted));
    if (next <= replicas) return steps;
    steps.push(next);
  }
}

/** Bytes of a quantity of memory, such as `512Mi`. */
export function bytesOf(quantity: string): number {
  const [, number, unit = ""] = /^(\d+)(Ki|Mi|Gi)?$/.exec(quantity) ?? [];
  if (number === undefined) throw new Error(`not a quantity of memory: ${quantity}`);
  return Number(number) * 1024 ** ["", "Ki", "Mi", "Gi"].indexOf(unit);
}

/**
 * The pods to plan with: each below the target, and one may be lost at the peak.
 *
 * @param cores - what the peak takes
 */
export function podsFor(cores: number, plan: Pick<Autoscaling, "target" | "minReplicas">): number {
  return Math.max(plan.minReplicas, Math.ceil(cores / plan.target), Math.ceil(cores + 1));
}

/**
 * The machines to plan with: at least two, and what is left of the pods after the loss of one carries the peak.
 *
 * @param cores - what the peak takes
 * @param holds - how many pods a machine can hold
 */
export function machinesFor(cores: number, pods: number, holds: number): number {
  let machines = Math.max(2, Math.ceil(pods / holds));
  while (podsLeft(pods, machines) < cores) machines += 1;
  return machines;
}

/** The pods that are left after the loss of a machine, when they were spread evenly. */
export function podsLeft(pods: number, machines: number): number {
  return pods - Math.ceil(pods / machines);
}
