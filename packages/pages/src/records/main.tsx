import "./styles/records.css";
import { useEffect, useRef } from "preact/hooks";
import { useFragment } from "../parts/browser.js";
import { docsPage, PageHead, SkipTo, show } from "../parts/page-head.js";
import { AccessNotice, KeyGate, KeyNotice, useAccess } from "../service/access.js";
import { RecordPage } from "./record-page.js";
import { loadDecisions } from "./records-api.js";
import { fromRecordsFragment, type Search, toSearchFragment } from "./search.js";
import { SearchPage } from "./search-page.js";

/** The whole page: a search, and the record that is open. */
function RecordsApp() {
  const access = useAccess(loadDecisions);
  const { key, loaded } = access;
  const route = fromRecordsFragment(useFragment());
  // What was found stays while a record is open, so going back costs no second look-up.
  const lastSearch = useRef<Search>(undefined);
  if (route.search !== undefined) lastSearch.current = route.search;
  const { record } = route;
  const docs = docsPage();
  useEffect(() => {
    document.title = record === undefined ? "Records" : `${record} · Records`;
  }, [record]);

  return (
    <div class="app">
      <SkipTo what="records" />
      <PageHead name="Records" href={docs}>
        {docs === undefined ? null : (
          <nav class="service-links" aria-label="Service">
            <a href={docs}>Decisions</a>
          </nav>
        )}
        {loaded.state === "ready" ? <KeyGate access={access} /> : null}
      </PageHead>
      <KeyNotice access={access} />
      {loaded.state === "loading" ? (
        <main class="notice" id="main" tabIndex={-1}>
          <p class="empty" role="status">
            Loading…
          </p>
        </main>
      ) : null}
      {loaded.state === "failed" ? <AccessNotice access={access} failure={loaded} what="records" /> : null}
      {loaded.state === "ready" && lastSearch.current !== undefined ? (
        <SearchPage
          search={lastSearch.current}
          isOpen={record === undefined}
          decisions={loaded.value}
          apiKey={key}
        />
      ) : null}
      {loaded.state === "ready" && record !== undefined ? (
        <RecordPage
          key={record}
          recordId={record}
          apiKey={key}
          back={lastSearch.current === undefined ? undefined : toSearchFragment(lastSearch.current)}
        />
      ) : null}
    </div>
  );
}

show(<RecordsApp />);
