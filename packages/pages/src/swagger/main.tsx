import "./styles/swagger.css";
import { useEffect } from "preact/hooks";
import { PageHead, show } from "../parts/page-head.js";
import { AccessNotice, KeyGate, useAccess } from "../service/access.js";
import { loadDocument, place, SwaggerUI } from "./swagger-ui.js";

/** Swagger UI has dark colours of its own, under a class. Sets it while the page is dark. */
function useDarkMode(): void {
  useEffect(() => {
    const { documentElement: html } = document;
    const system = matchMedia("(prefers-color-scheme: dark)");
    const follow = () => {
      const theme = html.dataset["theme"];
      html.classList.toggle("dark-mode", theme === "dark" || (theme !== "light" && system.matches));
    };
    const observer = new MutationObserver(follow);
    observer.observe(html, { attributeFilter: ["data-theme"] });
    system.addEventListener("change", follow);
    follow();
    return () => {
      observer.disconnect();
      system.removeEventListener("change", follow);
    };
  }, []);
}

/** Swagger UI, under the same bar as the other pages. */
function SwaggerApp() {
  const access = useAccess(loadDocument);
  const { key, loaded } = access;
  const title = loaded.state === "ready" ? loaded.value.title : "API";
  useDarkMode();
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <>
      <PageHead name="API" href={place.docs ?? place.page}>
        <nav class="service-links" aria-label="Service">
          {place.docs === undefined ? null : <a href={place.docs}>Decisions</a>}
          <a href={`${place.prefix}json`}>JSON</a>
          <a href={`${place.prefix}yaml`}>YAML</a>
        </nav>
        {key === "" || loaded.state !== "ready" ? null : <KeyGate access={access} />}
      </PageHead>
      {loaded.state === "failed" ? (
        <AccessNotice access={access} failure={loaded} what="the API's description" />
      ) : null}
      {loaded.state === "loading" ? <p role="status">Loading…</p> : null}
      {loaded.state === "ready" ? <SwaggerUI document={loaded.value} apiKey={key} /> : null}
    </>
  );
}

show(<SwaggerApp />);
