import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ScaledObject, TriggerAuthentication } from "@kubernetes-models/keda/keda.sh/v1alpha1";
import { Deployment } from "kubernetes-models/apps/v1";
import { describe, expect, it } from "vitest";
import { manifestOf } from "./support/manifest.js";

const files = {
  "keda-worker.yaml": manifestOf("keda-worker.yaml"),
  "keda-worker-nats.yaml": manifestOf("keda-worker-nats.yaml"),
};
const [deployment, authentication, postgres] = files["keda-worker.yaml"];
const [natsDeployment, nats] = files["keda-worker-nats.yaml"];

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

describe("the workers that KEDA scales", () => {
  it.each(Object.entries(files))(
    "%s is valid against the schemas of Kubernetes and KEDA",
    (_file, documents) => {
      const models = { Deployment, ScaledObject, TriggerAuthentication };
      for (const document of documents) {
        const Model = models[document.kind as keyof typeof models];
        expect(() => new Model(document).validate(), document.metadata.name).not.toThrow();
      }
      const scaled = documents.at(-1);
      const wrong = { ...scaled, spec: { ...scaled.spec, triggers: "all" } };
      expect(() => new ScaledObject(wrong as never).validate()).toThrow();
    },
  );

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

  it.each(Object.entries(files))(
    "%s scales what is in it, and leaves the number of pods to KEDA",
    (_file, documents) => {
      const names = (kind: string) =>
        documents.filter((document) => document.kind === kind).map(({ metadata }) => metadata.name);
      const scaled = documents.filter(({ kind }) => kind === "ScaledObject");
      expect(scaled.map(({ spec }) => spec.scaleTargetRef.name)).toEqual(names("Deployment"));
      for (const { spec } of scaled) {
        const used = spec.triggers.flatMap((trigger: { authenticationRef?: { name: string } }) =>
          trigger.authenticationRef === undefined ? [] : [trigger.authenticationRef.name],
        );
        expect(used).toEqual(names("TriggerAuthentication"));
      }
      const [{ spec }] = documents;
      expect(spec.replicas).toBeUndefined();
      expect(spec.template.spec.containers[0].resources.limits.cpu).toBeUndefined();
    },
  );

  it("asks about the queue that the worker reads", () => {
    const argsOf = (worker: typeof deployment) => worker.spec.template.spec.containers[0].args.join(" ");
    expect(argsOf(deployment)).toContain("--inbox loans");
    expect(postgres.spec.triggers[0].metadata.query).toContain("inbox = 'loans'");
    const { stream, consumer } = nats.spec.triggers[0].metadata;
    expect(argsOf(natsDeployment)).toContain(`--stream ${stream} --consumer ${consumer} `);
    expect(authentication.spec.secretTargetRef[0].name).toBe(
      deployment.spec.template.spec.containers[0].env.at(-1).valueFrom.secretKeyRef.name,
    );
  });

  // A system test of apps/cli starts the command of the first, and stops it.
  it("differ in their names and queues only, and start the file that the package installs as its command", () => {
    const [container] = deployment.spec.template.spec.containers;
    const [other] = natsDeployment.spec.template.spec.containers;
    expect({ ...other, args: container.args, env: container.env }).toEqual(container);
    const { containers: _, ...pod } = deployment.spec.template.spec;
    expect(natsDeployment.spec.template.spec).toMatchObject(pod);
    const { name, bin } = JSON.parse(
      readFileSync(new URL("../apps/cli/package.json", import.meta.url), "utf8"),
    );
    expect(container.command.slice(0, 2)).toEqual(["node", join("node_modules", name, bin.decern)]);
  });
});
