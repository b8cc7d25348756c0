/** Names of our tables in one schema, quoted. */
export interface Names {
  /** Not quoted. */
  readonly schemaName: string;
  readonly schema: string;
  readonly logLayouts: string;
  readonly chains: string;
  readonly profiles: string;
  readonly records: string;
  readonly erasures: string;
  /** The table of one month. */
  readonly month: (table: string) => string;
  readonly bulkLayouts: string;
  readonly attempts: string;
  readonly inbox: string;
  readonly inboxResults: string;
  readonly inboxDead: string;
  readonly jobs: string;
  readonly chunks: string;
  readonly jobResults: string;
  readonly jobDead: string;
}

/** Names the tables in a schema. */
export function namesIn(schemaName: string): Names {
  const schema = quote(schemaName);
  const table = (name: string): string => `${schema}.${quote(name)}`;
  return {
    schemaName,
    schema,
    logLayouts: table("decern_layouts"),
    chains: table("decern_chains"),
    profiles: table("decern_profiles"),
    records: table("decern_records"),
    erasures: table("decern_erasures"),
    month: table,
    bulkLayouts: table("decern_bulk_layouts"),
    attempts: table("decern_attempts"),
    inbox: table("decern_inbox"),
    inboxResults: table("decern_inbox_results"),
    inboxDead: table("decern_inbox_dead"),
    jobs: table("decern_jobs"),
    chunks: table("decern_chunks"),
    jobResults: table("decern_job_results"),
    jobDead: table("decern_job_dead"),
  };
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
