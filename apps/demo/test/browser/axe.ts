import axe, { type AxeResults } from "axe-core";

/** A page of Playwright or of Puppeteer. */
interface Scriptable {
  evaluate(script: string): Promise<unknown>;
}

/** Only violations are described in full: most of the work of axe is to describe what is right. */
const resultTypes = ["violations"];
/** What to look for: everything, or only what colours can make wrong. */
const options = {
  // The rule is experimental, so off by default: who says what they see must reach it.
  everything: { resultTypes, rules: { "label-content-name-mismatch": { enabled: true } } },
  colours: { resultTypes, runOnly: ["color-contrast", "link-in-text-block"] },
};

/** The violations that axe finds on the current page. `AxeBuilder` loads axe into another page to merge frames, which no page has. */
export async function violations(
  page: Scriptable,
  what: keyof typeof options = "everything",
): Promise<readonly string[]> {
  if ((await page.evaluate("'axe' in globalThis")) !== true) await page.evaluate(axe.source);
  const found = await page.evaluate(
    `axe.run(${JSON.stringify(options[what])}).then(({ violations }) => JSON.stringify(violations))`,
  );
  const list: AxeResults["violations"] = JSON.parse(String(found));
  return list.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
