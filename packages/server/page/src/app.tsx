import { useEffect } from "preact/hooks";
import { DecisionList } from "./catalogue/decision-list.js";
import { DecisionPage } from "./decision/decision-page.js";
import { Brand } from "./parts/brand.js";
import { ThemeSwitch } from "./parts/theme-switch.js";
import { AccessNotice } from "./service/access-notice.js";
import { loadCatalogue } from "./service/api.js";
import { KeyGate } from "./service/key-gate.js";
import { useAccess } from "./service/use-access.js";
import { useRoute } from "./use-route.js";

/** The whole page: the list on one side, a decision on the other. A narrow screen shows only one of them. */
export function App() {
  const access = useAccess(loadCatalogue);
  const { key, loaded: catalogue } = access;
  const route = useRoute();
  const decisions = catalogue.state === "ready" ? catalogue.value.decisions : [];
  const id = route.id ?? decisions[0]?.id;
  const { version } = route;
  useEffect(() => {
    const name = version === undefined ? id : `${id} ${version}`;
    document.title = name === undefined ? "Decisions" : `${name} · Decisions`;
  }, [id, version]);

  return (
    <div class="app" data-view={route.id === undefined ? "list" : "decision"}>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to the decision
      </button>
      <header class="top">
        <Brand name="Decisions" />
        <div class="top-tools">
          {catalogue.state === "ready" && catalogue.value.secured ? (
            <KeyGate value={key} refused={false} onUse={access.giveKey} />
          ) : null}
          <ThemeSwitch />
        </div>
      </header>
      {catalogue.state === "failed" ? (
        <AccessNotice access={access} failure={catalogue} what="decisions" />
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
                unreadable={route.unreadable === true}
                live={catalogue.value.live === true}
                apiKey={key}
                secured={catalogue.value.secured}
                profileOverride={catalogue.value.profileOverride}
                explains={catalogue.value.explains === true}
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
