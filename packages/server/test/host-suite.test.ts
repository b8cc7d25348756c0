import { hostSuite } from "../../../test/suites/host-suite.js";
import { createServer } from "../src/index.js";

hostSuite("createServer", {
  profileFromCallers: true,
  wrap: (input) => `{"input":${input}}`,
  mount(options) {
    const { handler } = createServer(options);
    return {
      send: async ({ id, headers, body }) => {
        const url = `/decisions/${id}`;
        const payload = body === undefined ? {} : { body };
        const reply = await handler.inject({ method: "POST", url, headers, ...payload });
        return { status: reply.statusCode, headers: reply.headers, body: reply.body };
      },
      close: () => handler.close(),
    };
  },
});
