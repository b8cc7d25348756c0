/** One method of one path that a Fastify application serves. */
export interface PrintedRoute {
  readonly method: string;
  readonly path: string;
}

/**
 * Reads the output of Fastify's `printRoutes`: a tree, each line with the rest of its path and its methods,
 * such as `│   └── :id (POST)`.
 */
export function readPrintedRoutes(tree: string): readonly PrintedRoute[] {
  const routes: PrintedRoute[] = [];
  const parents: string[] = [];
  for (const line of tree.split("\n")) {
    const match = line.match(/^((?:│ {3}| {4})*)(?:├── |└── )(.*?)(?: \(([A-Z, ]+)\))?$/);
    if (match === null) {
      if (line.trim() !== "") throw new Error(`Not a line of a route tree: ${line}`);
      continue;
    }
    const [, indent = "", segment = "", methods] = match;
    const depth = indent.length / 4;
    parents.length = depth;
    const path = parents.join("") + segment;
    parents.push(segment);
    for (const method of methods?.split(", ") ?? []) routes.push({ method, path });
  }
  return routes;
}
