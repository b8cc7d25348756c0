import { useEffect, useState } from "preact/hooks";
import { loadCatalogue } from "./api.js";
import { DecisionList } from "./decision-list.js";
import { DecisionPage } from "./decision-page.js";
import { KeyGate } from "./key-gate.js";
import { Brand } from "./parts/brand.js";
import { ThemeSwitch } from "./parts/theme-switch.js";
import { useLoaded } from "./use-loaded.js";
import { useRoute } from "./use-route.js";

/** The whole page: decisions on one side, the chosen one on the other. A narrow screen shows one of the two. */
export function App() {
  // In memory only: a key is neither stored nor part of a link.
  const [key, setKey] = useState("");
  const route = useRoute();
  const catalogue = useLoaded(() => loadCatalogue(key), `catalogue ${key}`);
  const decisions = catalogue.state === "ready" ? catalogue.value.decisions : [];
  const id = route.id ?? decisions[0]?.id;
  useEffect(() => {
    document.title = id === undefined ? "Decisions" : `${id} · Decisions`;
  }, [id]);

  return (
    <div class="app" data-view={route.id === undefined ? "list" : "decision"}>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to the decision
      </button>
      <header class="top">
        <Brand />
        <div class="top-tools">
          {catalogue.state === "ready" && catalogue.value.secured ? (
            <KeyGate value={key} onChange={setKey} />
          ) : null}
          <ThemeSwitch />
        </div>
      </header>
      {catalogue.state === "failed" ? (
        <main class="notice" id="main" tabIndex={-1}>
          <h1>
            {catalogue.status === 401 ? "This service asks for an API key" : "The decisions cannot be listed"}
          </h1>
          <p role="alert">{catalogue.message}</p>
          {catalogue.status === 401 ? <KeyGate value={key} onChange={setKey} /> : null}
        </main>
      ) : (
        <main class="split">
          <DecisionList decisions={decisions} current={id} loading={catalogue.state === "loading"} />
          <section class="detail" id="main" aria-label="Decision" tabIndex={-1}>
            {catalogue.state === "ready" && id !== undefined ? (
              <DecisionPage
                key={route.call === undefined ? id : route.fragment}
                id={id}
                shared={route.call}
                apiKey={key}
                secured={catalogue.value.secured}
                profileOverride={catalogue.value.profileOverride}
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
