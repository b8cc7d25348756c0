import { expect, it } from "vitest";
import { optionSuite } from "../../../test/suites/option-suite.js";
import { type AuthzenOptions, authzen } from "../src/index.js";
import { canRead } from "./can-read.js";

// What JavaScript without types may give.
const untyped = (work: (options: never) => unknown) => work as (options: object) => unknown;
const callback = { right: () => ({}), takes: ["function"] } as const;
const toInput = () => ({ subject: "yes" });

optionSuite<AuthzenOptions<unknown, unknown>>(
  "authzen",
  {
    evaluation: { right: canRead, takes: [] },
    toInput: callback,
    isDenied: callback,
    toContext: callback,
    url: { right: "https://pdp.example.com/tenant-1", takes: [] },
    maxEvaluations: { right: 100, takes: ["one"] },
  },
  { evaluation: canRead, toInput },
  untyped(authzen),
);

it.each([
  "http://pdp.example.com",
  "https://pdp.example.com/",
  "https://pdp.example.com?a=b",
  "https://pdp.example.com#a",
  "https://ada:secret@pdp.example.com",
  "https://pdp.example.com/:tenant",
  "https://pdp.example.com/a%20b",
  "pdp.example.com",
])("refuses %s as url", (url) => {
  expect(() => authzen({ evaluation: canRead, toInput, url })).toThrow(/\/url/);
});
