import type { DocsLinks } from "../model/data.js";

const guides = "https://github.com/decern/decern#readme";

/** Links to the other pages of the service. */
export function ServiceLinks({ links: { openapi, swagger, records } }: { readonly links: DocsLinks }) {
  return (
    <nav class="service-links" aria-label="Service">
      {swagger === undefined ? null : <a href={swagger}>Swagger UI</a>}
      {openapi === undefined ? null : <a href={openapi}>OpenAPI</a>}
      {records === undefined ? null : <a href={records}>Records</a>}
      <a href={guides} rel="noreferrer">
        Guides
      </a>
    </nav>
  );
}
