// Profiles from a row in PostgreSQL. LISTEN only triggers a load early: polling continues.
import { watchProfiles } from "@decern/watch";
import pg from "pg";

const pool = new pg.Pool(); // PGHOST, PGUSER and so on
pool.on("error", () => {}); // of an idle connection; the next load opens another

export const liveProfiles = watchProfiles({
  load: async ({ etag }) => {
    // xmin names the transaction that wrote the row last, so the tag changes even if the revision doesn't.
    const query =
      "select xmin::text as tag, revision, activate_at, profiles from decern_profiles where name = 'live'";
    const [row] = (await pool.query(query)).rows;
    if (row === undefined) throw new Error("decern_profiles has no row named live");
    if (row.tag === etag) return undefined;
    const { tag, revision, activate_at: activateAt, profiles } = row;
    return { revision, etag: tag, activateAt: activateAt?.toISOString(), profiles };
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
