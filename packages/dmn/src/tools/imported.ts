import { readModels, withImports } from "../graph/read-models.js";
import { checkDocuments, type DmnDocument } from "../options.js";

/**
 * A document with those that it imports, directly or through others.
 *
 * @param folder - documents to find them among. Those that can't be read are left out
 * @throws DecernError `INVALID_OPTIONS`
 */
export function withImportedDmn(
  document: DmnDocument,
  folder: readonly DmnDocument[],
): readonly DmnDocument[] {
  checkDocuments([document, ...folder]);
  const [model] = readModels([document]).models;
  if (model === undefined) return [document];
  const others = folder.filter(({ name }) => name !== document.name);
  const files = withImports(model, readModels(others).models).map(({ file }) => file);
  return [document, ...others.filter(({ name }) => files.includes(name))];
}
