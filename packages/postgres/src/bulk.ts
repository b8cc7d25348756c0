export type { ChunksOptions, Revision } from "./bulk/chunks-options.js";
export { type MigrateOptions, migrate } from "./bulk/layout.js";
export { type PostgresChunks, postgresChunks } from "./bulk/postgres-chunks.js";
export { type InboxOptions, type PostgresInbox, postgresInbox } from "./bulk/postgres-inbox.js";
export type { DeadLetter } from "./bulk/source.js";
export type { PostgresClient, PostgresPool, PostgresResult } from "./client/client.js";
