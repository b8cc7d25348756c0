import type { Problem } from "../errors.js";
import { feature } from "../host/ports.js";
import { isJsonObject } from "../schema/json-schema.js";
import type { HostedDecision } from "../versions/hosted-decision.js";
import type { Facade } from "./facade.js";

/** Finds values that are no facade, and facades that evaluate a decision which the host does not serve. */
export function facadeProblems(
  given: unknown,
  hosted: ReadonlyMap<string, HostedDecision>,
): readonly Problem[] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) return [{ path: "/facades", message: "must be a list" }];
  // `Array.from` sees the holes that `flatMap` alone would skip.
  return Array.from(given, (facade: unknown) => facade).flatMap((facade, index) => {
    const path = `/facades/${index}`;
    if (!isFacade(facade)) {
      const message = "is not a facade; make it with a package such as @decern/authzen";
      return [{ path, message }];
    }
    return facade.decisions
      .filter(
        (decision) =>
          ![...(hosted.get(decision.id)?.versions.values() ?? [])].some(
            (version) => version.decision === decision,
          ),
      )
      .map(({ id, version }) => ({
        path,
        message: `${facade.name} evaluates version ${version} of "${id}", which is not among the decisions`,
      }));
  });
}

function isFacade(value: unknown): value is Facade {
  return isJsonObject(value) && feature in value && value[feature] === "facade";
}
