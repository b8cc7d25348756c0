import { createHash } from "node:crypto";
import { z } from "zod";
import {
  DecernError,
  type Decision,
  type DecisionContract,
  type DecisionFile,
  defineDecision,
} from "../../packages/core/src/index.js";
import { canonicalJson } from "../../packages/core/src/tools.js";

/** A document of this contract: one fee, whatever the input is. */
const document = z.strictObject({
  table: z.string(),
  version: z.string(),
  fee: z.number(),
  /** Brings a schema with it, as documents other than tables do. */
  most: z.number().optional(),
});

function parsed(file: DecisionFile): unknown {
  if ("document" in file) return file.document;
  try {
    return JSON.parse(new TextDecoder().decode(file.bytes));
  } catch {
    return undefined;
  }
}

/** A contract that implements the port, so that sources are tested without tables. */
export function feeContract(id: string): DecisionContract {
  return {
    ids: [id],
    holds: (file) => z.object({ table: z.literal(id) }).safeParse(parsed(file)).success,
    read: (files) =>
      files.map((file) => {
        const { data, error } = document.safeParse(parsed(file));
        if (data !== undefined) return feeDecision(data);
        const problems = error.issues.map(({ path, message }) => ({ path: `/${path.join("/")}`, message }));
        throw new DecernError("INVALID_DECISION", { detail: file.name, problems });
      }),
  };
}

function feeDecision({ table, version, fee, most = 1000 }: z.infer<typeof document>): Decision {
  const content = { table, version, fee };
  const text = canonicalJson(content) ?? "";
  const hash = `sha256:${createHash("sha256").update(text).digest("hex")}`;
  const hit = { ruleId: "only", explanation: "always" };
  return defineDecision({
    id: table,
    version,
    inputSchema: z.object({}),
    outputSchema: z.object({ fee: z.number().max(most) }),
    profileSchema: z.object({ limit: z.number().default(0) }),
    logic: {
      content: { hash, mediaType: "application/json", document: content },
      rules: [{ id: "only" }],
      bind: () => ({
        decide: () => ({ emitted: { fee }, hits: [hit], explanation: "always" }),
        hits: () => [hit],
        thresholds: [],
      }),
    },
  });
}
