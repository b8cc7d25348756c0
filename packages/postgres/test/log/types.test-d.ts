import type { RecordStore } from "@decern/decision-log";
import type pg from "pg";
import { expectTypeOf, it } from "vitest";
import { migrate, type PostgresPool, postgres } from "../../src/log.js";

it("takes a pool of pg as it is", () => {
  expectTypeOf<pg.Pool>().toExtend<PostgresPool>();
  expectTypeOf<pg.Client>().not.toExtend<PostgresPool>();
  expectTypeOf(postgres).returns.toEqualTypeOf<RecordStore>();
  expectTypeOf(migrate).parameter(0).toEqualTypeOf<PostgresPool>();
});
