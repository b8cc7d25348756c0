import { useEffect, useRef } from "preact/hooks";
import { isObject, type JsonObject, listOf, own, textOf } from "../json/values.js";
import { load } from "../service/api.js";

/** Where the page's files and the document are, relative to the page. The server writes it into the HTML. */
export const { prefix = "swagger/" } = document.documentElement.dataset;

/** The OpenAPI document, ready to be shown. */
interface ApiDocument {
  readonly title: string;
  readonly spec: JsonObject;
  /** Names of the security schemes that take an API key. */
  readonly keySchemes: readonly string[];
}

/** Loads the document that Swagger UI shows. */
export async function loadDocument(key: string): Promise<ApiDocument> {
  const url = new URL(`${prefix}json`, location.href);
  const spec = await load<JsonObject>(url.href, key);
  const info = objectAt(spec, "info");
  const schemes = objectAt(objectAt(spec, "components"), "securitySchemes");
  return {
    title: textOf(info, "title") ?? "API",
    spec: { ...spec, servers: (listOf(spec, "servers") ?? []).map((server) => namedServer(server, url)) },
    keySchemes: Object.keys(schemes).filter((name) => textOf(objectAt(schemes, name), "type") === "apiKey"),
  };
}

/** The document's servers are relative to it. People want to see where their requests go. */
function namedServer(server: unknown, base: URL): unknown {
  if (!isObject(server)) return server;
  const url = textOf(server, "url");
  if (url === undefined || !URL.canParse(url, base)) return server;
  return { ...server, url: new URL(url, base).href.replace(/\/$/, ""), description: "this service" };
}

function objectAt(object: JsonObject, key: string): JsonObject {
  const value = own(object, key);
  return isObject(value) ? value : {};
}

/** What Swagger UI leaves out for those who use the keyboard or a screen reader. */
const repairs: readonly (readonly [selector: string, repair: (element: Element) => void])[] = [
  ["select#servers", named("Server")],
  ["textarea.body-param__text", named("Request body")],
  ["td.parameters-col_description input[type=text]", namedByPlaceholder],
  [".information-container", region("About this API")],
  [".scheme-container", region("Server and authorization")],
  ["pre.microlight", (element) => element.setAttribute("tabindex", "0")],
  // Written into the element by its highlighter, and too dark for the box.
  [".microlight span[style*='211, 99, 99']", colored("#ff9d94")],
  // A link inside a button: the button does the same.
  [".opblock-summary-control a[href]", (element) => element.removeAttribute("href")],
  // The headings skip a level.
  ["h3:not([aria-level]), h4:not([aria-level]), h5:not([aria-level])", raised],
];

/**
 * Repairs what Swagger UI draws, now and later.
 *
 * @returns what ends it
 */
function keepRepaired(root: HTMLElement): () => void {
  const repair = () => {
    for (const [selector, fix] of repairs)
      for (const element of root.querySelectorAll(selector)) fix(element);
  };
  const observer = new MutationObserver(repair);
  observer.observe(root, { childList: true, subtree: true });
  repair();
  return () => observer.disconnect();
}

function named(name: string): (element: Element) => void {
  return (element) => element.setAttribute("aria-label", name);
}

function region(name: string): (element: Element) => void {
  return (element) => {
    element.setAttribute("role", "region");
    element.setAttribute("aria-label", name);
  };
}

function colored(color: string): (element: Element) => void {
  return (element) => {
    if (element instanceof HTMLElement) element.style.color = color;
  };
}

function namedByPlaceholder(element: Element): void {
  const name = element.getAttribute("placeholder");
  if (name !== null) element.setAttribute("aria-label", name);
}

function raised(element: Element): void {
  element.setAttribute("aria-level", String(Number(element.tagName.slice(1)) - 1));
}

interface SwaggerUIOptions {
  readonly spec: JsonObject;
  readonly domNode: HTMLElement;
  readonly deepLinking: boolean;
  readonly presets: readonly unknown[];
  readonly layout: string;
  readonly validatorUrl: null;
  readonly defaultModelsExpandDepth: number;
  readonly onComplete: () => void;
}

interface SwaggerUIInstance {
  preauthorizeApiKey(scheme: string, key: string): void;
}

declare global {
  /** From `swagger-ui-bundle.js`, which the page loads before this. */
  var SwaggerUIBundle: {
    (options: SwaggerUIOptions): SwaggerUIInstance;
    readonly presets: { readonly apis: unknown };
  };
}

interface SwaggerUIProps {
  readonly document: ApiDocument;
  readonly apiKey: string;
}

/** Swagger UI itself. */
export function SwaggerUI({ document: { spec, keySchemes }, apiKey }: SwaggerUIProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = place;
    if (current === null) return undefined;
    const ui = SwaggerUIBundle({
      spec,
      domNode: current,
      deepLinking: true,
      presets: [SwaggerUIBundle.presets.apis],
      // Without the bar that asks for the URL of another document.
      layout: "BaseLayout",
      validatorUrl: null,
      // A service with five decisions has sixty schemas. Their list opens when it is pressed.
      defaultModelsExpandDepth: 0,
      onComplete: () => {
        if (apiKey !== "") for (const scheme of keySchemes) ui.preauthorizeApiKey(scheme, apiKey);
      },
    });
    return keepRepaired(current);
  }, [spec, keySchemes, apiKey]);
  return <div class="swagger" ref={place} />;
}
