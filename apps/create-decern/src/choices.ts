/** What a project installs. */
export interface Packages {
  readonly dependencies: readonly string[];
  readonly devDependencies?: readonly string[];
}

/** Something to choose. */
export interface Part extends Packages {
  readonly label: string;
}

/** What serves the decisions. */
export interface Host extends Part {
  /** The script that serves while the project is edited. */
  readonly dev: string;
  /** The body of a request, around an input as JSON. */
  body(input: string): string;
}

const restart = "tsx watch src/server.ts";

export const hosts: Readonly<Record<"server" | "express" | "fastify", Host>> = {
  server: {
    label: "Decern's server, with a docs page",
    dependencies: ["@decern/server"],
    dev: "decern serve src/decisions.ts --watch",
    body: (input) => `{"input":${input}}`,
  },
  express: {
    label: "an Express application",
    dependencies: ["@decern/adapter-express", "express"],
    devDependencies: ["@types/express"],
    dev: restart,
    body: (input) => input,
  },
  fastify: {
    label: "a Fastify application",
    dependencies: ["@decern/adapter-fastify", "fastify"],
    dev: restart,
    body: (input) => input,
  },
};

export const schemas: Readonly<Record<"typebox" | "zod" | "arktype", Part>> = {
  typebox: { label: "TypeBox", dependencies: ["@decern/schema", "typebox"] },
  zod: { label: "Zod", dependencies: ["zod"] },
  arktype: { label: "ArkType", dependencies: ["arktype"] },
};

const table: Part = { label: "a decision table", dependencies: ["@decern/table"] };

/** What a project is made of. */
export interface Choices {
  readonly host: keyof typeof hosts;
  readonly schema: keyof typeof schemas;
  readonly table: boolean;
}

export const defaults: Choices = { host: "server", schema: "typebox", table: false };

/** Whether an object has a name of its own: a name that was typed could be one that every object inherits. */
export function isNameOf<Names extends string>(
  names: Readonly<Record<Names, unknown>>,
  name: string,
): name is Names {
  return Object.hasOwn(names, name);
}

/** What every project installs. */
export const base: Packages = {
  dependencies: ["@decern/core", "@decern/decision-log"],
  devDependencies: ["@biomejs/biome", "@decern/cli", "@types/node", "tsx", "typescript"],
};

export function partsOf({ host, schema, table: hasTable }: Choices): readonly Part[] {
  return [hosts[host], schemas[schema], ...(hasTable ? [table] : [])];
}

/** The folders of the template that a project is copied from. No two of them have the same file. */
export function layersOf({ host, schema, table: hasTable }: Choices): readonly string[] {
  return ["base", host, schema, ...(hasTable ? ["table", `${schema}-table`] : ["plain"])];
}
