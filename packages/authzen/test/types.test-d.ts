import { authzen } from "../src/index.js";
import { canRead } from "./can-read.js";

authzen({ evaluation: canRead, toInput: ({ subject }) => ({ subject: subject.id }) });
authzen({ evaluation: canRead, toInput: async ({ subject }) => ({ subject: subject.id }) });
// What is not known is left to validation.
authzen({ evaluation: canRead, toInput: ({ subject }): unknown => subject.properties });
// @ts-expect-error -- the decision takes a string
authzen({ evaluation: canRead, toInput: () => ({ subject: 1 }) });
// @ts-expect-error -- nothing makes the input
authzen({ evaluation: canRead });
// @ts-expect-error -- there is no such option
authzen({ evaluation: canRead, toInput: () => ({ subject: "a" }), evaluations: canRead });
// @ts-expect-error -- a request has no roles
authzen({ evaluation: canRead, toInput: ({ roles }) => ({ subject: String(roles) }) });
