import { abortedSuite } from "../../../test/suites/aborted-suite.js";
import { callerOptionSuite } from "../../../test/suites/caller-option-suite.js";
import { fastifyFramework } from "./fastify-framework.js";

callerOptionSuite(fastifyFramework);
abortedSuite(fastifyFramework);
