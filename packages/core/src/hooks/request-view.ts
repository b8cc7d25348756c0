/** How the version of a call was chosen: the host's default, the version in the path, the host's `select`, or as a shadow. */
export type SelectedBy = "default" | "path" | "select" | "shadow";

/**
 * What hooks, `profileResolver` and `select` see of the request that asked. Reading it never changes the request.
 *
 * @typeParam Caller - what `authenticate` returns for those it lets in
 */
export interface RequestView<Caller extends Identity = Identity> {
  readonly method: string;
  /**
   * Without the query string, and decoded once, as routers decode it; only `%2F` and `%25` stay. To decide what a caller may
   * use, read the version that a hook is told instead.
   */
  readonly path: string;
  /** Names in lower case, as Node gives them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The address of the caller, as the framework's proxy settings see it. */
  readonly ip: string | undefined;
  /** What `authenticate` returned, where it returned an identity. */
  readonly identity: Caller | undefined;
}

/** Who asks, as `authenticate` returns it. Other properties, such as a tenant, are the host's own. */
export interface Identity {
  readonly caller: string;
  readonly [property: string]: unknown;
}
