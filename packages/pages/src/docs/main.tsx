import "../styles/docs.css";
import { useEffect, useRef, useState } from "preact/hooks";
import { fromFragment, type Route } from "../model/call.js";
import type { DocsCatalogue } from "../model/data.js";
import { useFragment } from "../parts/browser.js";
import { PageHead, ServiceLinks, SkipTo, show } from "../parts/page-head.js";
import { AccessNotice, KeyGate, KeyNotice, useAccess } from "../service/access.js";
import { loadCatalogue } from "../service/api.js";
import { DecisionList } from "./decision-list.js";
import { DecisionPage } from "./decision-page.js";
import { Overview } from "./overview.js";

/** Has the title say what is open, and the keyboard follow. */
function useOpened({ id, version }: Route) {
  useEffect(() => {
    const name = version === undefined ? id : `${id} ${version}`;
    document.title = name === undefined ? "Decisions · Decern" : `${name} · Decisions`;
    scrollTo(0, 0);
  }, [id, version]);
  // The link that was followed may be gone, and the focus with it.
  const last = useRef(id);
  useEffect(() => {
    if (last.current !== id && document.activeElement === document.body)
      document.getElementById("main")?.focus({ preventScroll: true });
    last.current = id;
  }, [id]);
}

const nothing: DocsCatalogue = { secured: false, profileOverride: false, links: {}, decisions: [] };

/** The whole page: all decisions, or one of them next to the list of all. A narrow screen has no list next to it. */
function App() {
  const access = useAccess(loadCatalogue);
  const { key, loaded } = access;
  const fragment = useFragment();
  const route = fromFragment(fragment);
  useOpened(route);
  // A search stays while one looks at what it found.
  const [query, setQuery] = useState("");
  const loading = loaded.state === "loading";
  const catalogue = loaded.state === "ready" ? loaded.value : nothing;
  const { decisions, links } = catalogue;
  const { id, version } = route;
  const search = { decisions, apiKey: key, query, onQuery: setQuery, loading };

  return (
    <div class="app">
      <SkipTo what={id === undefined ? "decisions" : "decision"} />
      <PageHead name="Decisions">
        {loaded.state === "ready" ? <ServiceLinks links={links} /> : null}
        {catalogue.secured || (access.refused && loaded.state === "ready") ? (
          <KeyGate access={access} />
        ) : null}
      </PageHead>
      <KeyNotice access={access} />
      {loaded.state === "failed" ? (
        <AccessNotice access={access} failure={loaded} what="decisions" />
      ) : id === undefined ? (
        <Overview {...search} links={links} />
      ) : (
        <main class="split">
          <DecisionList {...search} current={id} />
          <section class="detail" id="main" aria-label={`Decision ${id}`} tabIndex={-1}>
            <DecisionPage
              key={id}
              formKey={route.call === undefined && route.unreadable !== true ? (version ?? "") : fragment}
              entry={decisions.find((entry) => entry.id === id)}
              ready={!loading}
              id={id}
              version={version}
              shared={route.call}
              unreadable={route.unreadable === true}
              live={catalogue.live === true}
              records={links.records}
              publishes={catalogue.publishes === true}
              apiKey={key}
              secured={catalogue.secured}
              profileOverride={catalogue.profileOverride}
              explains={catalogue.explains === true}
              profileMerge={catalogue.profileMerge === true}
            />
          </section>
        </main>
      )}
    </div>
  );
}

show(<App />);
