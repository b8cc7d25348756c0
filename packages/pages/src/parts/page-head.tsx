import { type ComponentChildren, render, type VNode } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import type { DocsLinks } from "../model/data.js";
import { Icon, QuietButton } from "./controls.js";

interface BrandProps {
  /** What the page shows. */
  readonly name: string;
  /** Where the service has its decisions. @default the start of the page */
  readonly href?: string | undefined;
}

/** The product's name, and a link to the decisions. */
function Brand({ name, href = "#/" }: BrandProps) {
  return (
    <a class="brand" href={href}>
      <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="8" />
        <path d="M10 8v16M10 12h7a5 5 0 0 1 5 5v7" />
        <circle cx="10" cy="8" r="2.5" />
      </svg>
      <span>
        Decern <span class="brand-place">{name}</span>
      </span>
    </a>
  );
}

const themes = ["auto", "light", "dark"] as const;

type Theme = (typeof themes)[number];

const icons = { auto: "auto", light: "sun", dark: "moon" } as const;

const names = { auto: "system", light: "light", dark: "dark" } as const;

const storageKey = "decern.theme";

/** Switches between the system's theme, light and dark. */
function ThemeSwitch() {
  const [theme, setTheme] = useState(stored);
  useLayoutEffect(() => {
    document.documentElement.dataset["theme"] = theme;
    try {
      localStorage.setItem(storageKey, theme);
    } catch {
      // Storage may be disabled. The theme then lasts until the page is closed.
    }
  }, [theme]);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "auto";
  return (
    <QuietButton
      class="square"
      title={`Theme: ${names[theme]}`}
      aria-label={`Theme: ${names[theme]}. Change to ${names[next]}`}
      onClick={() => setTheme(next)}
    >
      <Icon name={icons[theme]} />
    </QuietButton>
  );
}

function stored(): Theme {
  try {
    const found = localStorage.getItem(storageKey);
    return themes.find((theme) => theme === found) ?? "auto";
  } catch {
    return "auto";
  }
}

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

/** Where the docs page is, as the server writes it into the HTML of other pages. Undefined where the service has none. */
export function docsPage(): string | undefined {
  const { root = "./", docs } = document.documentElement.dataset;
  return docs === undefined ? undefined : `${root}docs`;
}

interface PageHeadProps extends BrandProps {
  /** What stands next to the name. */
  readonly children: ComponentChildren;
}

/** The bar at the top of each page. */
export function PageHead({ children, ...brand }: PageHeadProps) {
  return (
    <header class="top">
      <Brand {...brand} />
      <div class="top-tools">
        {children}
        <ThemeSwitch />
      </div>
    </header>
  );
}

/** Leads those who use the keyboard past the bar. */
export function SkipTo({ what }: { readonly what: string }) {
  return (
    <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
      {`Skip to the ${what}`}
    </button>
  );
}

/** Shows a page. */
export function show(page: VNode): void {
  const root = document.getElementById("app");
  if (root === null) return;
  // What the HTML shows until now.
  root.replaceChildren();
  render(page, root);
}
