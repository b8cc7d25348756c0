import type { Decision } from "@decern/core";
import { expectTypeOf, it } from "vitest";
import {
  type ColumnOf,
  createWarehouseFunction,
  createWarehouseHandler,
  type GatewayReply,
} from "../src/index.js";
import { loan } from "./support/decisions.js";

const options = { decision: loan, columns: ["amount"] } as const;

it("columns are members of the input, at every depth", () => {
  expectTypeOf<ColumnOf<{ a: number; b?: { c: string; d: readonly { e: 1 }[] } }>>().toEqualTypeOf<
    "a" | "b" | "b.c" | "b.d"
  >();
  expectTypeOf<ColumnOf<unknown>>().toEqualTypeOf<string>();
  expectTypeOf<"tree.left.left.left.left.left">().toExtend<ColumnOf<{ tree: Tree }>>();
  createWarehouseHandler({
    ...options,
    columns: ["amount", "applicant.score"],
    engine: "bigquery",
    authenticate: "host",
  });
  // @ts-expect-error the input has no such member
  createWarehouseHandler({ ...options, columns: ["amont"], engine: "bigquery", authenticate: "host" });
  // @ts-expect-error nor this one
  createWarehouseFunction({ ...options, columns: ["applicant.scores"], engine: "redshift" });
  const any: Decision = loan;
  createWarehouseHandler({ decision: any, columns: ["whatever"], engine: "bigquery", authenticate: "host" });
});

interface Tree {
  readonly left?: Tree;
}

it("HTTP needs authenticate, and Redshift has no HTTP", () => {
  // @ts-expect-error somebody has to authenticate
  createWarehouseHandler({ ...options, engine: "bigquery" });
  // @ts-expect-error Redshift calls Lambda
  createWarehouseHandler({ ...options, engine: "redshift", authenticate: "host" });
  // @ts-expect-error the profile breaks its type
  createWarehouseHandler({ ...options, engine: "bigquery", authenticate: "host", profile: { limit: "x" } });
});

it("a Lambda function replies as its engine needs it", () => {
  expectTypeOf(createWarehouseFunction({ ...options, engine: "redshift" })).returns.resolves.toBeString();
  expectTypeOf(
    createWarehouseFunction({ ...options, engine: "snowflake" }),
  ).returns.resolves.toEqualTypeOf<GatewayReply>();
  // @ts-expect-error BigQuery calls nothing but Google's own hosts
  createWarehouseFunction({ ...options, engine: "bigquery" });
});
