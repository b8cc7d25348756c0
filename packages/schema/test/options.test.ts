import { Type } from "typebox";
import { flags, optionSuite } from "../../../test/suites/option-suite.js";
import { typebox } from "../src/index.js";
import type { TypeboxOptions } from "../src/typebox.js";

optionSuite<TypeboxOptions>(
  "typebox",
  { allowUnsafePatterns: { right: true, takes: flags } },
  {},
  (options) => typebox(Type.String(), options),
);
