export { type MigrateOptions, migrate } from "./layout/migrate.js";
export type { PostgresOptions } from "./options.js";
export type { PostgresClient, PostgresPool, PostgresResult } from "./pool.js";
export { postgres } from "./postgres.js";
