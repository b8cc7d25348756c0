import { watchProfiles } from "@decern/core";
import pg from "pg";

const pool = new pg.Pool(); // PGHOST, PGUSER and so on
pool.on("error", () => {}); // of an idle connection; the next load opens another

export const liveProfiles = watchProfiles({
  everyMs: 100,
  load: async ({ etag }) => {
    const query = "select revision, activate_at, profiles from decern_profiles where name = 'live'";
    const [row] = (await pool.query(query)).rows;
    if (row === undefined) throw new Error("decern_profiles has no row named live");
    if (row.revision === etag) return undefined;
    const { revision, activate_at: activateAt, profiles } = row;
    return { revision, etag: revision, activateAt: activateAt?.toISOString(), profiles };
  },
  wake: (load) => {
    const client = new pg.Client();
    client.on("notification", load);
    client.on("error", () => {});
    client
      .connect()
      .then(() => client.query("listen decern_profiles"))
      .catch(() => {});
    return () => client.end();
  },
});
