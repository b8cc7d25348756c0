export type { PostgresClient, PostgresPool, PostgresResult } from "./client/client.js";
export { type MigrateOptions, migrate } from "./log/layout.js";
export type { PostgresOptions } from "./log/postgres.js";
export { postgres } from "./log/postgres.js";
