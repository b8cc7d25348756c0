import { useEffect } from "preact/hooks";
import { Brand } from "../parts/brand.js";
import { ThemeSwitch } from "../parts/theme-switch.js";
import { AccessNotice } from "../service/access-notice.js";
import { KeyGate } from "../service/key-gate.js";
import { useAccess } from "../service/use-access.js";
import { loadDocument } from "./load-document.js";
import { place } from "./place.js";
import { SwaggerUI } from "./swagger-ui.js";
import { useDarkMode } from "./use-dark-mode.js";

/** Swagger UI, under the same bar as the other pages. */
export function SwaggerApp() {
  const access = useAccess(loadDocument);
  const { key, loaded } = access;
  const title = loaded.state === "ready" ? loaded.value.title : "API";
  useDarkMode();
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <>
      <header class="top">
        <Brand name="API" href={place.docs ?? place.page} />
        <div class="top-tools">
          <nav class="service-links" aria-label="Service">
            {place.docs === undefined ? null : <a href={place.docs}>Decisions</a>}
            <a href={`${place.prefix}json`}>JSON</a>
            <a href={`${place.prefix}yaml`}>YAML</a>
          </nav>
          {key === "" || loaded.state !== "ready" ? null : (
            <KeyGate value={key} refused={false} onUse={access.giveKey} />
          )}
          <ThemeSwitch />
        </div>
      </header>
      {loaded.state === "failed" ? (
        <AccessNotice access={access} failure={loaded} what="the API's description" />
      ) : null}
      {loaded.state === "loading" ? <p role="status">Loading…</p> : null}
      {loaded.state === "ready" ? <SwaggerUI document={loaded.value} apiKey={key} /> : null}
    </>
  );
}
