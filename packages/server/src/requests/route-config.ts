declare module "fastify" {
  interface FastifyContextConfig {
    /** How the server treats a route; give it on your own routes too. */
    decern?: RouteConfig | undefined;
  }
}

/** How the server treats a route. */
export interface RouteConfig {
  /** Whether callers need not say who they are. @default false */
  readonly open?: boolean | undefined;
  /** Whether it answers under overload and while closing. @default false */
  readonly vital?: boolean | undefined;
}

/** For what a probe asks. */
export const probe = { decern: { open: true, vital: true } } as const;

/** For a page without anything of a decision in it: a browser cannot send a key when it opens one. */
export const openPage = { decern: { open: true } } as const;
