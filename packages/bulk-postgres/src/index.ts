export type { ChunksOptions, Revision } from "./chunks/chunks-options.js";
export { type PostgresChunks, postgresChunks } from "./chunks/postgres-chunks.js";
export type { DeadLetter } from "./dead-letter.js";
export type { InboxOptions } from "./inbox/inbox-options.js";
export { type PostgresInbox, postgresInbox } from "./inbox/postgres-inbox.js";
export { type MigrateOptions, migrate } from "./layout/migrate.js";
export type { PostgresClient, PostgresPool, PostgresResult } from "./pool.js";
