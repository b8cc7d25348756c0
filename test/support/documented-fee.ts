import { createHash } from "node:crypto";
import { z } from "zod";
import { DecernError, defineDecision, type Logic } from "../../packages/core/src/index.js";
import { canonicalJson } from "../../packages/core/src/tools.js";

const schemas = {
  inputSchema: z.object({ weight: z.number() }),
  outputSchema: z.object({ fee: z.number() }),
  profileSchema: z.object({ limit: z.number().default(10) }),
};

const documentSchema = z.object({ light: z.number(), any: z.number() });

/** What a light parcel costs, and any other. */
export type FeeDocument = Readonly<z.infer<typeof documentSchema>>;

/** A decision of `logic`: a light parcel meets two rows, of which the first decides. */
export function documentedFee(document: FeeDocument, version = "1.0.0") {
  return defineDecision({ id: "fee", version, ...schemas, logic: logicOf(document) });
}

function logicOf(document: FeeDocument): Logic {
  return {
    content: { hash: hashOf(document), mediaType: "application/vnd.test.fee+json", document },
    rules: [{ id: "light" }, { id: "any" }],
    bind: (profile) => {
      const { limit } = schemas.profileSchema.parse(profile);
      const hits = (input: unknown) => {
        const { weight } = schemas.inputSchema.parse(input);
        const all = [
          { ruleId: "light", explanation: `up to ${limit}` },
          { ruleId: "any", explanation: "always" },
        ];
        return weight <= limit ? all : all.slice(1);
      };
      return {
        thresholds: [],
        hits,
        decide: (input) => {
          const found = hits(input);
          const fee = found.length === 2 ? document.light : document.any;
          return { emitted: { fee }, hits: found, explanation: `${found.length} hits` };
        },
      };
    },
    from: (other) => {
      const { data } = documentSchema.safeParse(other);
      if (data === undefined) throw new DecernError("INVALID_DECISION");
      return logicOf(data);
    },
  };
}

/** The hash of a document as contracts have it. */
export function hashOf(document: unknown): string {
  return `sha256:${createHash("sha256")
    .update(canonicalJson(document) ?? "")
    .digest("hex")}`;
}
