/** Names of our tables in one schema, quoted. */
export interface Names {
  /** Not quoted. */
  readonly schemaName: string;
  readonly schema: string;
  readonly layouts: string;
  readonly chains: string;
  readonly profiles: string;
  readonly records: string;
  readonly erasures: string;
  /** The table of one month. */
  readonly month: (table: string) => string;
}

/** Names the tables in a schema. */
export function namesIn(schemaName: string): Names {
  const schema = quote(schemaName);
  const table = (name: string): string => `${schema}.${quote(name)}`;
  return {
    schemaName,
    schema,
    layouts: table("decern_layouts"),
    chains: table("decern_chains"),
    profiles: table("decern_profiles"),
    records: table("decern_records"),
    erasures: table("decern_erasures"),
    month: table,
  };
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
