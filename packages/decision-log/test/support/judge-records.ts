import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import canonicalize from "canonicalize";

const schema = JSON.parse(readFileSync(new URL("../../schema/record.schema.json", import.meta.url), "utf8"));
const ajv = new Ajv2020({ strict: true, strictRequired: false });
addFormats.default(ajv);
const validate = ajv.compile(schema);

/** What the published schema has to say of a line, as ajv reads it. */
export function schemaErrors(line: string): readonly string[] {
  return validate(JSON.parse(line))
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function sha256(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return `sha256:${hash.digest("hex")}`;
}

/** Checks lines of one chain with somebody else's canonical JSON and Node's hashes. @returns what is wrong */
export function chainErrors(lines: readonly string[]): readonly string[] {
  const errors: string[] = [];
  let previous: string | null = null;
  for (const [index, line] of lines.entries()) {
    const { payload, hash, ...rest } = JSON.parse(line);
    if (canonicalize({ payload, hash, ...rest }) !== line) errors.push(`${index}: not canonical`);
    if (sha256(canonicalize(rest) ?? "") !== hash) errors.push(`${index}: hash`);
    if (rest.previousHash !== previous) errors.push(`${index}: previousHash`);
    if (payload !== null) {
      const { salt, ...unsalted } = payload;
      const bytes = Buffer.from(salt, "base64url");
      if (bytes.length !== 16) errors.push(`${index}: salt`);
      if (sha256(bytes, canonicalize(unsalted) ?? "") !== rest.payloadHash)
        errors.push(`${index}: payloadHash`);
    }
    previous = hash;
  }
  return errors;
}
