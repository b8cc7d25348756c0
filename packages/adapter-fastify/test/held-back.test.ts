import { oneReplySuite } from "../../../test/suites/one-reply-suite.js";
import { fastifyFramework } from "./fastify-framework.js";

oneReplySuite(fastifyFramework);
