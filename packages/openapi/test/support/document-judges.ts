import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";

/** What an independent validator finds wrong with a document. */
export async function validate(document: object): Promise<unknown> {
  const copy: object = JSON.parse(JSON.stringify(document));
  const { valid, errors } = await new Validator().validate({ ...copy });
  return valid ? [] : errors;
}

/** What Redocly's strictest rules find wrong with a document. */
export async function lint(document: object): Promise<unknown> {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: "openapi.json",
    config,
  });
  return problems.map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer }));
}
