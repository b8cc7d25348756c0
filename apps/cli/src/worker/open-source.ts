import type { OpenSource, SourceUser } from "./opened-source.js";
import type { WorkerPlace } from "./worker-call.js";

/** @throws CommandError when the server does not let it in, or lacks what the source needs */
export async function openSource(place: WorkerPlace, user: SourceUser): Promise<OpenSource> {
  if (place.kind === "nats") {
    const { openNats } = await import("./open-nats.js");
    return await openNats(place, user);
  }
  const { openPostgres } = await import("./open-postgres.js");
  return await openPostgres(place, user);
}
