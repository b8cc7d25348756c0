/**
 * The OpenAPI document for `@fastify/swagger`, which requires it at registration. Building it for thousands of decisions takes
 * seconds, so until it is serialised this is a valid document without paths. `toJSON` then builds the real one:
 * `JSON.stringify` calls it as the language specifies, and the `yaml` package as it documents. docs/adr/0011 says more.
 */
export class LazyDocument {
  readonly openapi = "3.0.3";
  readonly info = { title: "Not built yet", version: "0.0.0" };
  readonly paths = {};
  readonly #build: () => Readonly<Record<string, unknown>>;

  constructor(build: () => Readonly<Record<string, unknown>>) {
    this.#build = build;
  }

  toJSON(): Readonly<Record<string, unknown>> {
    return this.#build();
  }
}
