import type { Decision } from "@decern/core";
import type { Catalogue } from "@decern/core/tools";
import { closest } from "../command-line/closest.js";
import { CommandError } from "../command-line/command.js";

/** Which decision is meant. */
export interface Wanted {
  readonly id: string;
  /** @default the server's default version */
  readonly version: string | undefined;
}

/** @throws CommandError when the module does not have the decision or the version */
export function chooseDecision(catalogue: Catalogue, { id, version }: Wanted): Decision {
  const hosted = catalogue.get(id);
  if (hosted === undefined) {
    const ids = [...catalogue.decisions.keys()];
    const near = closest(id, ids);
    const hint = near === undefined ? `it has ${ids.join(", ")}` : `did you mean ${near}?`;
    throw new CommandError(`the module has no decision "${id}"; ${hint}`);
  }
  if (version === undefined) return hosted.standard.decision;
  const chosen = hosted.versions.get(version);
  if (chosen !== undefined) return chosen.decision;
  const known = [...hosted.versions.keys()].join(", ");
  throw new CommandError(`${id} has no version ${version}, only ${known}`);
}
