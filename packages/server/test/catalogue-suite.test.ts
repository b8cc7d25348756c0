import {
  type CatalogueHost,
  callerSuite,
  profileChoiceSuite,
  versionSuite,
} from "../../../test/suites/catalogue-suite.js";
import { featureSuite } from "../../../test/suites/feature-suite.js";
import { createServer } from "../src/index.js";

const server: CatalogueHost = {
  wrap: (input) => `{"input":${input}}`,
  mount({ caller, ...options }) {
    const authenticate =
      caller === undefined
        ? undefined
        : ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }) => {
            const name = caller(headers);
            return name === undefined ? false : { caller: name };
          };
    const { handler } = createServer({ ...options, authenticate });
    return {
      prefix: "/decisions",
      async post(url, headers, body) {
        const reply = await handler.inject({ method: "POST", url, headers, body });
        return { status: reply.statusCode, headers: reply.headers, body: reply.body };
      },
      close: () => handler.close(),
    };
  },
};

callerSuite("createServer", server);
profileChoiceSuite("createServer", server);
versionSuite("createServer", server);
featureSuite("createServer", server);
