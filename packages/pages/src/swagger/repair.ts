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
export function keepRepaired(root: HTMLElement): () => void {
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
