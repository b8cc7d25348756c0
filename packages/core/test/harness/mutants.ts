import type { Mutant } from "./baseline.js";

/** Faults such as a rebuild makes, one in each step of a call. */
export const mutants: readonly Mutant[] = [
  {
    name: "a reply is written before its record has an id",
    family: "requests to one decision",
    file: "evaluation/evaluation-pipeline.ts",
    from: "      choose(evaluation, result.status);\n      if (evaluation.shadow",
    to: "      if (evaluation.shadow",
  },
  {
    name: "a caller's profile passes for the host's",
    family: "requests to several decisions",
    file: "catalogue/call-chooser.ts",
    from: 'profileFrom = "caller";\n        if (sharesProfile)',
    to: 'profileFrom = "host";\n        if (sharesProfile)',
  },
  {
    name: "a hook's copy of the host's profile becomes the caller's",
    family: "requests to one decision",
    file: "evaluation/evaluation.ts",
    from: "if (!profile.is(patched.profile)) this.profileFrom",
    to: "this.profileFrom",
  },
  {
    name: "an answer that is not false lets a request through",
    family: "guards",
    file: "access/access-check.ts",
    from: "allowed = answer === false;",
    to: "allowed = answer !== true;",
  },
  {
    name: "a callback gets the result that is replied",
    family: "guards",
    file: "host/decision-reply.ts",
    from: "result: copyResult(result) }",
    to: "result }",
  },
  {
    name: "a call that fails before its choice claims a profile",
    family: "requests to several decisions",
    file: "catalogue/decision-handlers.ts",
    from: "return createCallHandler(pipeline, decision, reader, encoder);",
    to: 'return createCallHandler(pipeline, { ...decision, version: "unknown" }, reader, encoder);',
  },
  {
    name: "an outcome without its record keeps the record's id",
    family: "requests to one decision",
    file: "evaluation/recording.ts",
    from: "    evaluation.ticket = undefined;\n",
    to: "",
  },
  {
    name: "a shadow sees what the host has changed since",
    family: "requests to several decisions",
    file: "versions/shadow.ts",
    from: "const input = copyData(evaluated.input);",
    to: "const { input } = evaluated;",
  },
];
