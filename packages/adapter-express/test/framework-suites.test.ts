import { abortedSuite } from "../../../test/suites/aborted-suite.js";
import { callerOptionSuite } from "../../../test/suites/caller-option-suite.js";
import { setSuite } from "../../../test/suites/set-suite.js";
import { expressFrameworks } from "./express-framework.js";

for (const framework of expressFrameworks) {
  setSuite(framework);
  callerOptionSuite(framework);
  abortedSuite(framework);
}
