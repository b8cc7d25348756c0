import "./styles/swagger.css";
import { useEffect } from "preact/hooks";
import { docsPage, PageHead, show } from "../parts/page-head.js";
import { AccessNotice, KeyGate, useAccess } from "../service/access.js";
import { loadDocument, prefix, SwaggerUI } from "./swagger-ui.js";

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
  const docs = docsPage();
  useDarkMode();
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <>
      <PageHead name="API" href={docs ?? location.pathname}>
        <nav class="service-links" aria-label="Service">
          {docs === undefined ? null : <a href={docs}>Decisions</a>}
          <a href={`${prefix}json`}>JSON</a>
          <a href={`${prefix}yaml`}>YAML</a>
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
