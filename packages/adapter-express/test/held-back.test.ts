import { oneReplySuite } from "../../../test/suites/one-reply-suite.js";
import { expressFrameworks } from "./express-framework.js";

for (const framework of expressFrameworks) oneReplySuite(framework);
