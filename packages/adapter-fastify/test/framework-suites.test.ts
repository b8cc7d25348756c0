import { abortedSuite } from "../../../test/suites/aborted-suite.js";
import { callerOptionSuite } from "../../../test/suites/caller-option-suite.js";
import { setSuite } from "../../../test/suites/set-suite.js";
import { fastifyFramework } from "./fastify-framework.js";

setSuite(fastifyFramework);
callerOptionSuite(fastifyFramework);
abortedSuite(fastifyFramework);
