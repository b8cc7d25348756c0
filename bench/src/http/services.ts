/** What is put under load. Only the one that a process serves is loaded in it. */
export interface Service {
  /** As `serve.js` is told it. */
  readonly key: string;
  readonly name: string;
  /** Whether the body wraps the input, as the standalone server's does. */
  readonly wraps: boolean;
  /** Whether it decides nothing and always sends the same text. */
  readonly isFixed?: boolean;
  /** Whether it keeps a record of each reply. */
  readonly isRecorded?: boolean;
  readonly listen: () => Promise<number>;
}

export const fastifyPlain = "bare Fastify 5, plain handler";
/** The fair baselines: what Fastify itself takes, with each reply written at once and with joint writes like Decern's. */
export const fastifyText = "bare Fastify 5, prepared text";
export const fastifyTextTogether = "bare Fastify 5, prepared text, together";
export const nodeHttp = "bare node:http";
export const expressPlain = "bare Express 5";
export const decernServer = "Decern server, metrics off";
export const decernServerMetrics = "Decern server, metrics on";
export const decernServerLog = "Decern server, log on";
export const decernServerDurable = "Decern server, log on, every reply durable";
export const fastifyRoute = "Fastify 5, route by hand";
export const decernFastify = "Fastify 5, Decern plugin";
export const expressRoute = "Express 5, route by hand";
export const decernExpress = "Express 5, Decern router";

export const decernServerPlain: Service = {
  key: "decern-server",
  name: decernServer,
  wraps: true,
  listen: async () => (await import("./servers/decern-server.js")).listen(),
};

/** The same with answers that never repeat. Of interest for batches only. */
export const decernServerVaried: Service = {
  key: "decern-server-varied",
  name: "Decern server, results that all differ",
  wraps: true,
  listen: async () => (await import("./servers/decern-server.js")).listen({ isVaried: true }),
};

export const services: readonly Service[] = [
  {
    key: "fastify-plain",
    name: fastifyPlain,
    wraps: true,
    listen: async () => (await import("./servers/fastify-plain.js")).listen(),
  },
  {
    key: "fastify-text",
    name: fastifyText,
    wraps: true,
    isFixed: true,
    listen: async () => (await import("./servers/fastify-text.js")).listen(false),
  },
  {
    key: "fastify-text-together",
    name: fastifyTextTogether,
    wraps: true,
    isFixed: true,
    listen: async () => (await import("./servers/fastify-text.js")).listen(true),
  },
  {
    key: "node-http",
    name: nodeHttp,
    wraps: true,
    listen: async () => (await import("./servers/node-http.js")).listen(),
  },
  {
    key: "hono-plain",
    name: "bare Hono 4",
    wraps: true,
    listen: async () => (await import("./servers/hono-plain.js")).listen(),
  },
  {
    key: "express-plain",
    name: expressPlain,
    wraps: true,
    listen: async () => (await import("./servers/express-plain.js")).listen(),
  },
  decernServerPlain,
  {
    key: "decern-server-metrics",
    name: decernServerMetrics,
    wraps: true,
    listen: async () => (await import("./servers/decern-server.js")).listen({ hasMetrics: true }),
  },
  {
    key: "decern-server-log",
    name: decernServerLog,
    wraps: true,
    isRecorded: true,
    listen: async () => (await import("./servers/decern-server.js")).listen({ durable: "batch" }),
  },
  {
    key: "decern-server-durable",
    name: decernServerDurable,
    wraps: true,
    isRecorded: true,
    listen: async () => (await import("./servers/decern-server.js")).listen({ durable: "reply" }),
  },
  {
    key: "fastify-route",
    name: fastifyRoute,
    wraps: false,
    listen: async () => (await import("./servers/fastify-route.js")).listen(),
  },
  {
    key: "decern-fastify",
    name: decernFastify,
    wraps: false,
    listen: async () => (await import("./servers/decern-fastify.js")).listen(),
  },
  {
    key: "express-route",
    name: expressRoute,
    wraps: false,
    listen: async () => (await import("./servers/express-route.js")).listen(),
  },
  {
    key: "decern-express",
    name: decernExpress,
    wraps: false,
    listen: async () => (await import("./servers/decern-express.js")).listen(),
  },
];
