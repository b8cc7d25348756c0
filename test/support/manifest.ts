import { readFileSync } from "node:fs";
import { parseAllDocuments } from "yaml";

/** The documents of `deploy/kubernetes.yaml`. */
export const manifest = parseAllDocuments(
  readFileSync(new URL("../../deploy/kubernetes.yaml", import.meta.url), "utf8"),
).map((document) => document.toJS());
