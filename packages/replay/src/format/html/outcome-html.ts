import { type Markup, markup } from "../markup.js";

/** An outcome such as `OK/prime`, its status less loud than its rule. */
export function outcomeHtml(outcome: string): Markup {
  const slash = outcome.indexOf("/");
  return slash === -1
    ? markup`<code class="outcome">${outcome}</code>`
    : markup`<code class="outcome"><span>${outcome.slice(0, slash + 1)}</span>${outcome.slice(slash + 1)}</code>`;
}
