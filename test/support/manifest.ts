import { readFileSync } from "node:fs";
import { parseAllDocuments } from "yaml";

/** The documents of a file in `deploy`. */
export const manifestOf = (file: string) =>
  parseAllDocuments(readFileSync(new URL(`../../deploy/${file}`, import.meta.url), "utf8")).map((document) =>
    document.toJS(),
  );

/** The documents of `deploy/kubernetes.yaml`. */
export const manifest = manifestOf("kubernetes.yaml");
