import { evaluatorOptionCases, optionSuite } from "../../../test/suites/option-suite.js";
import { createEvaluator, type EvaluatorOptions } from "../src/index.js";

optionSuite<EvaluatorOptions>("createEvaluator", evaluatorOptionCases, {}, createEvaluator);
