import type { MountedRoute } from "@decern/core/host";

/** The path of a facade's route, which may end with a parameter. */
export class FacadePath {
  /** Not Express's own syntax: Express decodes parameters, and gives the host's error handling what is not valid percent-encoding. */
  readonly pattern: RegExp;
  readonly #base: string;

  constructor({ base, hasParameter }: MountedRoute) {
    this.#base = base;
    this.pattern = new RegExp(`^${base.replaceAll(/[^\w/-]/g, "\\$&")}${hasParameter ? "/.*" : ""}$`);
  }

  /** What a path that matches has for the parameter; `undefined` when it is not valid percent-encoding. */
  restOf(path: string): string | undefined {
    try {
      return decodeURIComponent(path.slice(this.#base.length + 1));
    } catch {
      return undefined;
    }
  }
}
