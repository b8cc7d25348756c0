declare module "fastify" {
  interface FastifyContextConfig {
    /** How the server treats a route. You can set it on your own routes too. */
    decern?: RouteConfig | undefined;
  }
}

/** How the server treats a route. */
export interface RouteConfig {
  /** Whether the route skips authentication. @default false */
  readonly open?: boolean | undefined;
  /** Whether the route stays available under overload and while the server closes. @default false */
  readonly vital?: boolean | undefined;
}

/** For routes that probes call. */
export const probe = { decern: { open: true, vital: true } } as const;

/** For pages that reveal nothing about decisions: a browser cannot send a key when it opens a page. */
export const openPage = { decern: { open: true } } as const;
