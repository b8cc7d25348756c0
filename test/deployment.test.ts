import { readFileSync } from "node:fs";
import { run } from "dockerfilelint";
import { Deployment } from "kubernetes-models/apps/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { Service } from "kubernetes-models/v1";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";

const file = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

describe("deploy/kubernetes.yaml", () => {
  const documents = parseAllDocuments(file("deploy/kubernetes.yaml")).map((document) => document.toJS());
  const models = { Deployment, Service, PodDisruptionBudget };

  it("is valid against the schemas of Kubernetes", () => {
    expect(documents.map(({ kind }) => kind)).toEqual(["Deployment", "Service", "PodDisruptionBudget"]);
    for (const document of documents) {
      const Model = models[document.kind as keyof typeof models];
      expect(() => new Model(document).validate(), document.kind).not.toThrow();
    }
    expect(() =>
      new Deployment({ ...documents[0], spec: { replicas: "two" } as never }).validate(),
    ).toThrow();
  });

  it("runs without privileges, and allows enough time for draining", () => {
    const { spec } = documents[0].spec.template;
    const [container] = spec.containers;
    expect(spec.securityContext.runAsNonRoot).toBe(true);
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    const preStop = Number(container.lifecycle.preStop.exec.command[1]);
    const closeTimeoutSeconds = 10;
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(preStop + closeTimeoutSeconds);
    expect(container.readinessProbe.httpGet.path).toBe("/health/ready");
    expect(container.livenessProbe.httpGet.path).toBe("/health/live");
  });
});

describe("deploy/Dockerfile", () => {
  const dockerfile = file("deploy/Dockerfile");

  it("passes a linter", () => {
    expect(run(".", dockerfile, {})).toEqual([]);
    expect(run(".", "FORM node\n", {})).not.toEqual([]);
  });

  it("runs as an unprivileged user, has a health check, and builds in a separate stage", () => {
    const [build, final] = dockerfile.split(/^(?=FROM )/m).slice(1);
    expect(build).toContain(" AS build");
    expect(final).toMatch(/^USER node$/m);
    expect(final).toMatch(/^HEALTHCHECK .*/m);
    expect(final).not.toMatch(/^(RUN|ADD) /m);
  });
});
