import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../../parts/icons.js";
import { LoadFailure } from "../../service/load-failure.js";
import { useLoaded } from "../../service/use-loaded.js";
import { toSearchFragment } from "../model/records-route.js";
import { everything } from "../model/search.js";
import { loadRecord } from "../service/records-api.js";
import { RecordView } from "./record-view.js";

interface RecordPageProps {
  readonly recordId: string;
  readonly apiKey: string;
  /** The address of the search that was open before. */
  readonly back: string | undefined;
}

/** By the status of a reply without a record. */
const titles: ReadonlyMap<number, string> = new Map([
  [403, "Access denied"],
  [404, "No such record"],
]);

/** Loads one record and shows it. */
export function RecordPage({ recordId, apiKey, back }: RecordPageProps) {
  const loaded = useLoaded(() => loadRecord(recordId, apiKey), `${recordId} ${apiKey}`);
  const main = useRef<HTMLElement>(null);
  // The link that had the focus is hidden now.
  useEffect(() => {
    scrollTo(0, 0);
    if (back !== undefined) main.current?.focus();
  }, [back]);
  return (
    <main class="page" id="main" tabIndex={-1} ref={main}>
      <a class="back" href={back ?? "#/"}>
        <Icon name="back" />
        {back === undefined ? "All records" : "Back to the results"}
      </a>
      {loaded.state === "loading" ? (
        <p class="empty" role="status">
          Loading the record…
        </p>
      ) : null}
      {loaded.state === "failed" ? (
        <section class="missing">
          <h1>{titles.get(loaded.status) ?? "Couldn't load the record"}</h1>
          <LoadFailure failure={loaded} />
          {loaded.status === 404 ? (
            <p>
              It may be the id of a request, or too old to be kept.{" "}
              <a href={toSearchFragment({ ...everything, text: recordId, kind: "request" })}>
                Search for a request with this id
              </a>
            </p>
          ) : null}
        </section>
      ) : null}
      {loaded.state === "ready" ? <RecordView detail={loaded.value} apiKey={apiKey} /> : null}
    </main>
  );
}
