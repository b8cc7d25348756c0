import { writeFileSync } from "node:fs";
import { addDecisionsToSpec, generateAdapterSpec, generateOpenAPISpec } from "@decern/openapi";
import { decisions, versions } from "./src/decisions/index.js";
const info = { title: "T", version: "1" };
const security = { name: "key", scheme: { type: "apiKey", in: "header", name: "x" } };
const v = { "loan-approval": { ...versions["loan-approval"], deprecated: { "2.0.0": { since: "2026-12-01", sunset: "2027-06-30", link: "https://e.com" } } } };
const vs = { "loan-approval": { ...v["loan-approval"], select: () => undefined } };
const facades = [{ method: "POST", path: "/f/:name/x", operation: { operationId: "f", summary: "F", request: { type: "object" }, responses: { "200": { description: "ok", schema: {} }, "304": { description: "same" } } } , open: true }, { method: "GET", path: "/g", operation: { operationId: "g", summary: "G", responses: { "200": { description: "ok" } } } }] as any;
const services = [{ versions }, { versions: v, security, records: true, explains: true, maxBatch: 10, sheddingLoad: true, callerProfiles: { "loan-approval": ["strict"] }, profileOverride: "replace" }, { versions: vs, profileOverride: false, maxBatch: 3, docs: false, metricsEndpoint: "/m", openapiEndpoint: "/o/p.json", swaggerEndpoint: "/s", publicMetrics: true, security }, { versions, profileOverride: "merge", maxBatch: 3, callerProfiles: { "loan-approval": ["strict"] }, facades, security }] as any[];
const out: unknown[] = services.map((s) => generateOpenAPISpec(decisions as any, info, s));
const one = decisions.filter((d) => d.id !== "loan-approval");
out.push(generateOpenAPISpec(one as any, info, { explains: true, maxBatch: 5 } as any));
for (const m of [{ versions }, { versions: v, prefix: "/api/d", records: true, security }, { versions: vs, responses: { "401": { description: "no" } } }] as any[]) { const a = generateAdapterSpec({ decisions: decisions as any, ...m, documentPath: "/x/y" }); out.push(a, addDecisionsToSpec(a, { decisions: decisions as any, ...m, prefix: "/other" }), addDecisionsToSpec({ openapi: "3.0.3", paths: { "/decisions/loan-approval/versions/{version}": { post: { operationId: "evaluateNews2" } } }, components: { schemas: { Error: {} }, headers: { RequestId: {} } } } as any, { decisions: decisions as any, prefix: "/decisions", ...m })); }
writeFileSync(process.argv[2]!, JSON.stringify(out, null, 1));
