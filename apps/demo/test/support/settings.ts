/** The demo's settings when nothing is set, on a free port. */
export const settings = {
  port: 0,
  host: "127.0.0.1",
  profilesFile: undefined,
  reloadMs: 5000,
  rollOutPercent: 10,
  recordsFolder: undefined,
  subjectKey: undefined,
  metrics: true,
  openapi: true,
  cors: true,
  profileOverride: true,
  maxDelayMs: undefined,
  maxConnectionAgeMs: 300_000,
  apiKeys: undefined,
};
