import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launch, visit } from "./browser.js";

const sources = fileURLToPath(new URL("../../../../packages/pages/src/", import.meta.url));
const entry = `${sources}count-renders.ts`;

/** The form of the docs page, with Preact's option hook counting what is drawn. */
const program = `
import { h, options, render } from "preact";
import { useState } from "preact/hooks";
import { Outcome } from "./answer/outcome.js";
import { ValueEditor } from "./form/value-editor.js";

const drawn = {};
options.diffed = ({ type }) => {
  if (typeof type === "function") drawn[type.name] = (drawn[type.name] ?? 0) + 1;
};
const person = { type: "object", required: ["name", "age"], properties: { name: { type: "string" }, age: { type: "number" } } };
const schema = { type: "object", required: ["people"], properties: { people: { type: "array", items: person } } };
const first = { people: Array.from({ length: window.count }, (_, index) => ({ name: "Person " + index, age: index })) };
const decision = { outputSchema: schema };
const reply = { httpStatus: 200, milliseconds: 1, live: true, sent: { input: first }, body: { success: true, data: first } };
const outcome = { current: null };
function Form() {
  const [edited, setEdited] = useState({ value: first });
  window.value = edited.value;
  return [
    h(ValueEditor, { part: "input", title: "Input", schema, edited, issues: [], onChange: setEdited }),
    h(Outcome, { sectionRef: outcome, decision, reply, stale: edited.value === first ? undefined : "Changed", missing: 0, onRetry() {} }),
  ];
}
window.drawnSince = () => {
  const counts = { ...drawn };
  for (const name of Object.keys(drawn)) delete drawn[name];
  return counts;
};
render(h(Form, null), document.body);
`;

let browser: Browser;
let code = "";
beforeAll(async () => {
  browser = await launch();
  const built = await build({
    configFile: false,
    logLevel: "error",
    root: sources,
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    plugins: [
      {
        name: "program",
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? program : undefined),
      },
    ],
    build: { write: false, minify: false, rolldownOptions: { input: entry } },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (output === undefined || !("output" in output)) throw new Error("nothing was built");
  code = output.output[0].code;
});
afterAll(() => browser.close());

/** Opens the form with a list of so many people. */
async function openList(count: number) {
  const opened = await visit(browser, "about:blank");
  await opened.page.evaluate(`window.count = ${count}`);
  await opened.page.addScriptTag({ content: code, type: "module" });
  await opened.page.getByRole("button", { name: "Add to people", exact: true }).waitFor();
  const drawn = () => opened.page.evaluate<Record<string, number>>("drawnSince()");
  return { ...opened, drawn };
}

it("draws the one field that a keystroke changes, and what holds it", async () => {
  const { page, faults, drawn } = await openList(19);
  const field = page.locator("[id='input/people/7/name']");
  expect(await drawn()).toMatchObject({ ScalarField: 19, NumberField: 19 });
  await field.press("End");
  await field.press("!");
  await expect.poll(() => page.evaluate("value.people[7].name")).toBe("Person 7!");
  const then = await drawn();
  expect(then).toMatchObject({ ScalarField: 1, ListField: 1, Outcome: 1 });
  expect(then).not.toHaveProperty("NumberField");
  // The result is still that of the call before.
  expect(then).not.toHaveProperty("DataList");
  // Fields that were not drawn again still change the list as it is now.
  await page.getByRole("button", { name: "Remove people 1", exact: true }).click();
  await page.locator("[id='input/people/17/age']").fill("7");
  await page.locator("[id='input/people/0/name']").fill("First");
  await expect
    .poll(() =>
      page.evaluate(
        "[value.people.length, value.people[17].age, value.people[6].name, value.people[0].name]",
      ),
    )
    .toEqual([18, 7, "Person 7!", "First"]);
  expect(faults).toEqual([]);
  await page.context().close();
});

it("draws the fields of one item of a long list only, and the one that a keystroke changes", async () => {
  const { page, faults, drawn } = await openList(500);
  const first = await drawn();
  expect(first).toMatchObject({ Row: 500 });
  expect(first).not.toHaveProperty("ScalarField");
  await page.locator("[id='input/people/7']").click();
  const field = page.locator("[id='input/people/7/name']");
  await field.press("End");
  await drawn();
  await field.press("!");
  await expect.poll(() => page.evaluate("value.people[7].name")).toBe("Person 7!");
  const then = await drawn();
  expect(then).toMatchObject({ ScalarField: 1, ListField: 1 });
  expect(then).not.toHaveProperty("NumberField");
  await page.getByRole("button", { name: "Remove people 8", exact: true }).click();
  await page.locator("[id='input/people/498']").click();
  await page.locator("[id='input/people/498/age']").fill("7");
  await expect
    .poll(() => page.evaluate("[value.people.length, value.people[498].age, value.people[7].name]"))
    .toEqual([499, 7, "Person 8"]);
  expect(faults).toEqual([]);
  await page.context().close();
});
