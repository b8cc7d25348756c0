import { createRequire } from "node:module";

// Found from core: the root does not depend on it.
const fromCore = createRequire(new URL("../../packages/core/package.json", import.meta.url));

// The same properties run for thousands of mutants: each gets 0.3 s, and the first counterexample will do.
fromCore("fast-check").configureGlobal({
  interruptAfterTimeLimit: 300,
  markInterruptAsFailure: false,
  endOnFailure: true,
});
