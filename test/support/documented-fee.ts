import { createHash } from "node:crypto";
import { z } from "zod";
import { defineDecision } from "../../packages/core/src/index.js";
import { canonicalJson } from "../../packages/core/src/tools.js";

const schemas = {
  inputSchema: z.object({ weight: z.number() }),
  outputSchema: z.object({ fee: z.number() }),
  profileSchema: z.object({ limit: z.number().default(10) }),
};

/** The document of a fee: what each parcel costs, and what each costs that is above the limit. */
export interface FeeDocument {
  readonly light: number;
  readonly any: number;
}

/** A decision of `logic`: the dearest row that a parcel meets decides. */
export function documentedFee(document: FeeDocument, version = "1.0.0") {
  return defineDecision({
    id: "fee",
    version,
    ...schemas,
    logic: {
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
    },
  });
}

/** The hash of a document as contracts have it. */
export function hashOf(document: unknown): string {
  return `sha256:${createHash("sha256")
    .update(canonicalJson(document) ?? "")
    .digest("hex")}`;
}
