/** A path of a facade, whose last segment may be a parameter such as `:key`. */
export class FacadePath {
  /** Not Express's own syntax: Express decodes parameters, and gives the host's error handling what is not valid percent-encoding. */
  readonly pattern: RegExp;
  readonly #name: string | undefined;

  constructor(path: string) {
    const end = path.lastIndexOf("/:");
    this.#name = end < 0 ? undefined : path.slice(end + 2);
    const fixed = (end < 0 ? path : path.slice(0, end)).replaceAll(/[^\w/-]/g, "\\$&");
    this.pattern = new RegExp(`^${fixed}${end < 0 ? "" : "/[^/]+"}$`);
  }

  /** The parameter in a path that matches; `undefined` when it is not valid percent-encoding. */
  paramsOf(path: string): Readonly<Record<string, string | undefined>> {
    if (this.#name === undefined) return {};
    try {
      return { [this.#name]: decodeURIComponent(path.slice(path.lastIndexOf("/") + 1)) };
    } catch {
      return { [this.#name]: undefined };
    }
  }
}
