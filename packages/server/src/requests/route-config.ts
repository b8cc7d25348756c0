import type { MountedRoute } from "@decern/core/host";

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
  /** The facade's route with this path, in whose form the server refuses. @default the server's own form */
  readonly facade?: MountedRoute | undefined;
}

/** For routes that probes call. */
export const probe = { decern: { open: true, vital: true } } as const;

/** For pages that reveal nothing about decisions: a browser cannot send a key when it opens a page. */
export const openPage = { decern: { open: true } } as const;
