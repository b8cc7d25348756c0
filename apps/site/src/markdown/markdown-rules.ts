import { linkTarget } from "./link-target.js";
import { exampleOf, type Fence, playgroundFragment } from "./playground-links.js";
import type { SitePage } from "./site-pages.js";

/** As much of the renderer as the rules need. */
export interface MarkdownRenderer {
  readonly core: {
    readonly ruler: { push(name: string, rule: (state: RuleState) => void): void };
  };
}

interface RuleState {
  tokens: Token[];
  readonly env: { readonly relativePath?: string };
  readonly Token: new (type: string, tag: string, nesting: -1 | 0 | 1) => Token;
}

interface Token {
  readonly type: string;
  tag: string;
  readonly info: string;
  content: string;
  readonly children: readonly Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

interface RuleOptions {
  readonly pages: readonly SitePage[];
  /** Of the site, with a slash at its end. */
  readonly base: string;
}

/** Makes pages of the repository pages of the site: links lead to pages, examples to the playground, and each heading has a text. */
export function addRules(markdown: MarkdownRenderer, { pages, base }: RuleOptions): void {
  markdown.core.ruler.push("decern-links", ({ tokens, env }) => {
    const source = pages.find(({ page }) => page === env.relativePath)?.source;
    if (source === undefined) return;
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === "link_open" ? token.attrGet("href") : null;
      if (href !== null) token.attrSet("href", linkTarget(pages, source, href));
    }
  });
  markdown.core.ruler.push("decern-tables", ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      if (token.type !== "th_open" || tokens[index + 1]?.content !== "") continue;
      for (const part of [token, tokens[index + 2]]) if (part !== undefined) part.tag = "td";
    }
  });
  markdown.core.ruler.push("decern-playground", (state) => {
    const before: Fence[] = [];
    state.tokens = state.tokens.flatMap((token) => {
      if (token.type !== "fence") return [token];
      const { info, content } = token;
      const example = exampleOf({ info, content }, before);
      before.push({ info, content });
      const fragment = example && playgroundFragment(example);
      if (fragment === undefined) return [token];
      const link = new state.Token("html_block", "", 0);
      // `_self`, because the router of the site would look for a page of its own.
      link.content = `<p class="try-it"><a href="${base}playground/${fragment}" target="_self">Open in the playground</a></p>\n`;
      return [token, link];
    });
  });
}
