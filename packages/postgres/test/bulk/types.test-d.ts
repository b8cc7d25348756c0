import type { BulkSource } from "@decern/bulk";
import type pg from "pg";
import { expectTypeOf, it } from "vitest";
import { type PostgresChunks, type PostgresInbox, type PostgresPool, postgresInbox } from "../../src/bulk.js";

it("takes a pool of pg as it is, and makes sources", () => {
  expectTypeOf<pg.Pool>().toExtend<PostgresPool>();
  expectTypeOf<pg.Client>().not.toExtend<PostgresPool>();
  expectTypeOf(postgresInbox).returns.toEqualTypeOf<PostgresInbox>();
  expectTypeOf<PostgresInbox>().toExtend<BulkSource>();
  expectTypeOf<PostgresChunks>().toExtend<BulkSource>();
});
