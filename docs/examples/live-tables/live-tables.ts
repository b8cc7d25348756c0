// Tables from a row in PostgreSQL, as ../live-profiles has profiles. LISTEN only triggers a load early: polling continues.
import { watchDecisions } from "@decern/watch";
import pg from "pg";
import { shippingFee } from "./contracts.js";

const pool = new pg.Pool(); // PGHOST, PGUSER and so on
pool.on("error", () => {}); // of an idle connection; the next load opens another

export const decisions = watchDecisions({
  contracts: [shippingFee],
  load: async ({ etag }) => {
    // xmin names the transaction that wrote the row last.
    const query =
      "select xmin::text as tag, revision, activate_at, tables, profiles from decern_tables where name = 'live'";
    const [row] = (await pool.query(query)).rows;
    if (row === undefined) throw new Error("decern_tables has no row named live");
    if (row.tag === etag) return undefined;
    const { tag, revision, activate_at: activateAt, tables, profiles } = row;
    return {
      revision,
      etag: tag,
      activateAt: activateAt?.toISOString(),
      profiles: profiles ?? undefined,
      decisions: tables.map((document: object) => ({ name: "row live", document })),
    };
  },
  wake: (load) => {
    const client = new pg.Client();
    client.on("notification", load);
    client.on("error", () => {});
    client
      .connect()
      .then(() => client.query("listen decern_tables"))
      .catch(() => {});
    return () => client.end();
  },
});
