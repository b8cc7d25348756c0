import { failClosedSuite } from "../../../test/suites/fail-closed-suite.js";
import { expressFrameworks } from "./express-framework.js";

failClosedSuite(...expressFrameworks);
