import { failClosedSuite } from "../../../test/suites/fail-closed-suite.js";
import { fastifyFramework } from "./fastify-framework.js";

failClosedSuite(fastifyFramework);
