import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  PodMonitor,
  PrometheusRule,
  ServiceMonitor,
} from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1";
import { run } from "dockerfilelint";
import { Deployment } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { Service } from "kubernetes-models/v1";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { checkedOptions } from "../packages/core/src/options.js";
import { serverRows } from "../packages/server/src/options/read-options.js";
import { bytesOf, replicasFor, scaleUp } from "./support/fleet-arithmetic.js";
import { manifest as documents, manifestOf } from "./support/manifest.js";

/** What a server has where nothing is said. */
const defaults = checkedOptions("test", { decisions: [] }, serverRows);

const root = fileURLToPath(new URL("..", import.meta.url));
const file = (path: string): string => readFileSync(`${root}/${path}`, "utf8");

const MiB = 1024 * 1024;

describe("deploy/kubernetes.yaml", () => {
  const models = { Deployment, Service, HorizontalPodAutoscaler, PodDisruptionBudget, NetworkPolicy };
  const [deployment, service, autoscaler, budget, network] = documents;
  const pod = deployment.spec.template;
  const [container] = pod.spec.containers;
  const environment = Object.fromEntries(
    container.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
  );

  it("is valid against the schemas of Kubernetes", () => {
    expect(documents.map(({ kind }) => kind)).toEqual(Object.keys(models));
    for (const document of documents) {
      const Model = models[document.kind as keyof typeof models];
      expect(() => new Model(document).validate(), document.kind).not.toThrow();
    }
    expect(() => new Deployment({ ...deployment, spec: { replicas: "two" } as never }).validate()).toThrow();
    const wrong = { ...autoscaler, spec: { ...autoscaler.spec, maxReplicas: "many" } };
    expect(() => new HorizontalPodAutoscaler(wrong as never).validate()).toThrow();
  });

  it("is about one set of pods", () => {
    const labels = { app: "decern" };
    expect(pod.metadata.labels).toEqual(labels);
    expect(deployment.spec.selector.matchLabels).toEqual(labels);
    expect(service.spec.selector).toEqual(labels);
    expect(budget.spec.selector.matchLabels).toEqual(labels);
    expect(network.spec.podSelector.matchLabels).toEqual(labels);
    const { name, kind, apiVersion } = { ...deployment, ...deployment.metadata };
    expect(autoscaler.spec.scaleTargetRef).toEqual({ apiVersion, kind, name });
  });

  it("runs without privileges", () => {
    expect(pod.spec.securityContext.runAsNonRoot).toBe(true);
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
  });

  it("allows enough time for draining", () => {
    const [command, preStop] = container.lifecycle.preStop.exec.command;
    expect(command).toBe("sleep");
    const closeTimeoutSeconds = defaults.closeTimeoutMs / 1000;
    expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThan(Number(preStop) + closeTimeoutSeconds);
  });

  it("forgives a pod that is busy for a second, and restarts one that is stuck", () => {
    for (const probe of [container.readinessProbe, container.livenessProbe]) {
      expect(probe.timeoutSeconds).toBeGreaterThan(1);
      expect(probe.failureThreshold).toBeGreaterThan(1);
    }
    expect(container.readinessProbe.httpGet.path).toBe("/health/ready");
    expect(container.livenessProbe.httpGet.path).toBe("/health/live");
  });

  it("lets a pod start slowly, and then judges it by its liveness", () => {
    const { httpGet, periodSeconds, failureThreshold } = container.startupProbe;
    expect(httpGet).toEqual(container.livenessProbe.httpGet);
    expect(periodSeconds * failureThreshold).toBeGreaterThanOrEqual(30);
    // A start that takes a second isn't noticed only after ten.
    expect(periodSeconds).toBeLessThan(container.livenessProbe.periodSeconds);
  });

  it("lets pods reach its port, and nothing else either way", () => {
    expect(network.spec.policyTypes).toEqual(["Ingress", "Egress"]);
    const reached = network.spec.ingress.flatMap(({ ports }: { ports: { port: string }[] }) => ports);
    expect(reached).toEqual([{ port: container.ports[0].name }]);
    expect(service.spec.ports.map(({ targetPort }: { targetPort: string }) => targetPort)).toEqual(["http"]);
    expect(network.spec.egress).toEqual([]);
  });

  it("is what the operator of Prometheus scrapes, and its alerts what the guide's command applies", () => {
    const [monitor, workers] = manifestOf("monitors.yaml");
    expect(() => new ServiceMonitor(monitor).validate()).not.toThrow();
    expect(() => new ServiceMonitor({ ...monitor, spec: {} } as never).validate()).toThrow();
    expect(service.metadata.labels).toMatchObject(monitor.spec.selector.matchLabels);
    const [{ port, path }] = monitor.spec.endpoints;
    expect(service.spec.ports.map(({ name }: { name: string }) => name)).toContain(port);
    expect(path).toBe("/metrics");

    expect(() => new PodMonitor(workers).validate()).not.toThrow();
    const [{ values }] = workers.spec.selector.matchExpressions;
    const deployments = [manifestOf("keda-worker.yaml"), manifestOf("keda-worker-nats.yaml")].map(
      ([one]) => one,
    );
    expect(values).toEqual(deployments.map(({ spec }) => spec.template.metadata.labels.app));
    for (const { spec } of deployments)
      expect(spec.template.spec.containers[0].ports[0].name).toBe(workers.spec.podMetricsEndpoints[0].port);

    const [, command = ""] = /^(printf .*) \| kubectl apply -f -$/m.exec(file("docs/metrics.md")) ?? [];
    const rule = parse(execFileSync("bash", ["-c", command], { cwd: root, encoding: "utf8" }));
    expect(() => new PrometheusRule(rule).validate()).not.toThrow();
    expect(rule.spec).toEqual(parse(file("deploy/alerts.yaml")));
  });

  it("spreads pods over nodes, and lets a disruption take one at a time", () => {
    const [constraint] = pod.spec.topologySpreadConstraints;
    expect(constraint).toMatchObject({ maxSkew: 1, topologyKey: "kubernetes.io/hostname" });
    expect(constraint.labelSelector.matchLabels).toEqual(pod.metadata.labels);
    expect(budget.spec.maxUnavailable).toBe(1);
    expect(autoscaler.spec.minReplicas).toBeGreaterThan(budget.spec.maxUnavailable);
  });

  it("sheds load, and spreads connections over new pods", () => {
    expect(Number(environment["DECERN_MAX_DELAY"])).toBeGreaterThan(0);
    expect(Number(environment["DECERN_MAX_CONNECTION_AGE"])).toBe(defaults.maxConnectionAgeMs);
  });

  describe("the autoscaler", () => {
    const { minReplicas, maxReplicas, metrics, behavior } = autoscaler.spec;
    const [{ resource }] = metrics;
    const target = resource.target.averageUtilization / 100;
    const autoscaling = { target, minReplicas, maxReplicas };

    it("alone sets the number of pods, by the use of one whole core each", () => {
      expect(deployment.spec).not.toHaveProperty("replicas");
      expect(resource).toEqual({ name: "cpu", target: { type: "Utilization", averageUtilization: 60 } });
      expect(container.resources.requests.cpu).toBe("1");
      expect(container.resources.limits).not.toHaveProperty("cpu");
      expect(minReplicas).toBeGreaterThanOrEqual(2);
    });

    it("can reach its percentage: a process that uses its whole core is above it", () => {
      // With a request of two cores, one process would show 50 % at most, and the autoscaler would never act.
      const wholeCore = 1 / Number(container.resources.requests.cpu);
      expect(wholeCore).toBeGreaterThan(target * 1.1);
    });

    it("grows from two pods to what the load needs, and to no more than the maximum", () => {
      expect(behavior.scaleUp.policies).toEqual([{ type: "Percent", value: 100, periodSeconds: 15 }]);
      expect(scaleUp(1, 2, autoscaling)).toEqual([2]);
      expect(scaleUp(4, 2, autoscaling)).toEqual([2, 4, 7]);
      expect(scaleUp(10, 2, autoscaling)).toEqual([2, 4, 7, 12, 17]);
      expect(scaleUp(100, 2, autoscaling).at(-1)).toBe(maxReplicas);
      for (let cores = 0.1; cores < maxReplicas * target; cores += 0.1) {
        const settled = scaleUp(cores, minReplicas, autoscaling).at(-1) ?? 0;
        const exact = replicasFor(cores, autoscaling);
        expect(settled).toBeLessThanOrEqual(exact);
        // It leaves out a step that is smaller than its tolerance, and nobody is near a whole core.
        expect(cores / settled).toBeLessThanOrEqual(target * 1.1 + 1e-9);
      }
    });
  });

  it("has memory for all that V8 may use, and for what lies outside of its heap", () => {
    const [, oldSpace] = /^--max-old-space-size=(\d+)$/.exec(environment["NODE_OPTIONS"] ?? "") ?? [];
    const { requests, limits } = container.resources;
    // Measured by apps/demo/test/fleet/memory.system.test.ts: code, stacks, young generation, buffers of connections.
    const outside = 192 * MiB;
    const bodies = 64 * defaults.bodyLimit;
    expect(bytesOf(limits.memory)).toBeGreaterThanOrEqual(Number(oldSpace) * MiB + outside + bodies);
    expect(bytesOf(requests.memory)).toBeLessThanOrEqual(bytesOf(limits.memory));
  });
});

describe("deploy/nginx.conf", () => {
  it("closes idle connections before the service does", () => {
    const [, seconds] = /^\s*keepalive_timeout (\d+)s;$/m.exec(file("deploy/nginx.conf")) ?? [];
    expect(Number(seconds)).toBeGreaterThan(0);
    expect(Number(seconds) * 1000).toBeLessThan(defaults.keepAliveTimeoutMs);
  });
});

describe("deploy/Dockerfile", () => {
  const dockerfile = file("deploy/Dockerfile");

  it("passes a linter", () => {
    // The linter is older than `--platform`.
    const known = dockerfile.replace(/^FROM --platform=\S+ /m, "FROM ");
    expect(run(".", known, {})).toEqual([]);
    expect(run(".", "FORM node\n", {})).not.toEqual([]);
  });

  it("runs as an unprivileged user, has a health check, and builds in a separate stage", () => {
    const [build, final] = dockerfile.split(/^(?=FROM )/m).slice(1);
    // The image for another architecture needs no emulator: this stage runs on the builder's.
    expect(build).toMatch(/^FROM --platform=\$BUILDPLATFORM \S+ AS build$/m);
    expect(final).toMatch(/^USER node$/m);
    expect(final).toMatch(/^HEALTHCHECK .*/m);
    expect(final).not.toMatch(/^(RUN|ADD) /m);
  });
});
