import { useEffect, useState } from "preact/hooks";
import { DecisionList } from "./catalogue/decision-list.js";
import { DecisionPage } from "./decision/decision-page.js";
import { Brand } from "./parts/brand.js";
import { ThemeSwitch } from "./parts/theme-switch.js";
import { loadCatalogue } from "./service/api.js";
import { KeyGate } from "./service/key-gate.js";
import { useLoaded } from "./service/use-loaded.js";
import { useRoute } from "./use-route.js";

/** The whole page: the list on one side, a decision on the other. A narrow screen shows only one of them. */
export function App() {
  // In memory only: the key is never stored and never part of a link.
  const [{ key, attempt }, setAccess] = useState({ key: "", attempt: 0 });
  const route = useRoute();
  const catalogue = useLoaded(() => loadCatalogue(key), `catalogue ${attempt} ${key}`);
  const unauthenticated =
    catalogue.state === "failed" && (catalogue.status === 401 || catalogue.status === 403);
  const refused = unauthenticated && key !== "";
  // The same key may be tried again, because the service may accept it by now.
  const giveKey = (next: string) => setAccess({ key: next, attempt: refused ? attempt + 1 : attempt });
  const decisions = catalogue.state === "ready" ? catalogue.value.decisions : [];
  const id = route.id ?? decisions[0]?.id;
  const { version } = route;
  useEffect(() => {
    const name = version === undefined ? id : `${id} ${version}`;
    document.title = name === undefined ? "Decisions" : `${name} · Decisions`;
  }, [id, version]);
  // Once the key is accepted, its form disappears together with the focus. Put the focus on the page.
  const ready = catalogue.state === "ready";
  useEffect(() => {
    if (ready && key !== "") document.getElementById("main")?.focus();
  }, [ready, key]);

  return (
    <div class="app" data-view={route.id === undefined ? "list" : "decision"}>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to the decision
      </button>
      <header class="top">
        <Brand />
        <div class="top-tools">
          {catalogue.state === "ready" && catalogue.value.secured ? (
            <KeyGate value={key} refused={false} onUse={giveKey} />
          ) : null}
          <ThemeSwitch />
        </div>
      </header>
      {catalogue.state === "failed" ? (
        <main class="notice" id="main" tabIndex={-1}>
          <h1>{failureTitle(unauthenticated, refused)}</h1>
          <p role="alert" id="failure">
            {refused
              ? `The service refused this key (${catalogue.message}). Check the key and try again.`
              : catalogue.message}
          </p>
          {unauthenticated ? <KeyGate value={key} refused={refused} onUse={giveKey} /> : null}
        </main>
      ) : (
        <main class="split">
          <DecisionList decisions={decisions} current={id} loading={catalogue.state === "loading"} />
          <section class="detail" id="main" aria-label="Decision" tabIndex={-1}>
            {catalogue.state === "ready" && id !== undefined ? (
              <DecisionPage
                key={id}
                formKey={route.call === undefined ? (version ?? "") : route.fragment}
                entry={decisions.find((entry) => entry.id === id)}
                id={id}
                version={version}
                shared={route.call}
                apiKey={key}
                secured={catalogue.value.secured}
                profileOverride={catalogue.value.profileOverride}
                profileMerge={catalogue.value.profileMerge === true}
              />
            ) : null}
            {catalogue.state === "ready" && id === undefined ? (
              <p class="empty">This service has no decisions.</p>
            ) : null}
          </section>
        </main>
      )}
    </div>
  );
}

function failureTitle(unauthenticated: boolean, refused: boolean): string {
  if (refused) return "The API key was refused";
  return unauthenticated ? "This service requires an API key" : "Couldn't load decisions";
}
