import { readFileSync } from "node:fs";
import { ScaledObject, TriggerAuthentication } from "@kubernetes-models/keda/keda.sh/v1alpha1";
import { Deployment } from "kubernetes-models/apps/v1";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";

const text = readFileSync(new URL("../deploy/keda-worker.yaml", import.meta.url), "utf8");
const documents = parseAllDocuments(text).map((document) => document.toJS());
const [deployment, , postgres, nats] = documents;

/** What the scalers take, by https://keda.sh/docs/2.17/scalers/: required and optional metadata. */
const scalers: Readonly<
  Record<string, { readonly required: readonly string[]; readonly optional: readonly string[] }>
> = {
  // `connection` comes from the authentication.
  postgresql: { required: ["query", "targetQueryValue"], optional: ["activationTargetQueryValue"] },
  "nats-jetstream": {
    required: ["natsServerMonitoringEndpoint", "account", "stream", "consumer"],
    optional: ["lagThreshold", "activationLagThreshold", "useHttps"],
  },
};

describe("deploy/keda-worker.yaml", () => {
  it("is valid against the schemas of Kubernetes and KEDA", () => {
    const models = { Deployment, ScaledObject, TriggerAuthentication };
    expect(documents.map(({ kind }) => kind)).toEqual([
      "Deployment",
      "TriggerAuthentication",
      "ScaledObject",
      "ScaledObject",
    ]);
    for (const document of documents) {
      const Model = models[document.kind as keyof typeof models];
      expect(() => new Model(document).validate(), document.metadata.name).not.toThrow();
    }
    expect(() =>
      new ScaledObject({ ...postgres, spec: { ...postgres.spec, triggers: "all" } as never }).validate(),
    ).toThrow();
  });

  it.each([
    ["postgresql", postgres],
    ["nats-jetstream", nats],
  ])("gives the scaler %s what it takes, as text", (type, { spec }) => {
    const [trigger] = spec.triggers;
    expect(trigger.type).toBe(type);
    const { required, optional } = scalers[type] ?? { required: [], optional: [] };
    const given = Object.keys(trigger.metadata);
    expect(required.filter((name) => !given.includes(name))).toEqual([]);
    expect(given.filter((name) => !required.includes(name) && !optional.includes(name))).toEqual([]);
    expect(Object.values(trigger.metadata).every((value) => typeof value === "string")).toBe(true);
  });

  it("scales what is there, with an authentication that is there, and leaves the number of pods to KEDA", () => {
    const [, authentication] = documents;
    expect(postgres.spec.scaleTargetRef.name).toBe(deployment.metadata.name);
    expect(postgres.spec.triggers[0].authenticationRef.name).toBe(authentication.metadata.name);
    expect(deployment.spec.replicas).toBeUndefined();
    const [{ resources, args }] = deployment.spec.template.spec.containers;
    expect(resources.limits.cpu).toBeUndefined();
    expect(args).toContain("--inbox");
  });
});
