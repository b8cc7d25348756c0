import { type Markup, markup } from "../markup.js";

/** A table that scrolls by itself where the screen is narrow, also with the keyboard. */
export function scrollable(name: string, table: Markup): Markup {
  return markup`<div class="scroll" role="group" aria-label="${name}" tabindex="0">
${table}
</div>`;
}
