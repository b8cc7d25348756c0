import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PlaygroundState } from "../base/state.js";
import { exampleOf, type Fence } from "./playground-links.js";
import type { SitePage } from "./site-pages.js";

/** An example of a page that the playground can open. */
export interface GuideExample {
  /** The page, and the file in it where it has a name. */
  readonly title: string;
  /** The page's file, relative to the root of the repository. */
  readonly source: string;
  readonly state: PlaygroundState;
}

/** The examples of all pages, in order. @param root - the root of the repository */
export function guideExamples(root: string, pages: readonly SitePage[]): readonly GuideExample[] {
  return pages.flatMap(({ source, title }) => {
    const fences = fencesOf(readFileSync(join(root, source), "utf8"));
    return fences.flatMap((fence, index): GuideExample[] => {
      const state = exampleOf(fence, fences.slice(0, index));
      const [, file] = /title="([^"]+)"/.exec(fence.info) ?? [];
      return state === undefined
        ? []
        : [{ title: file === undefined ? title : `${title}: ${file}`, source, state }];
    });
  });
}

function fencesOf(text: string): readonly Fence[] {
  return [...text.matchAll(/^```([^\n`]*)\n([\s\S]*?)^```$/gm)].map(([, info = "", content = ""]) => ({
    info,
    content,
  }));
}
