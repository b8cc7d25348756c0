import { defineDecision } from "@decern/core";
import { createServer } from "@decern/server";
import { expect, it } from "vitest";
import { z } from "zod";
import { choose, formLoaded, openTab, shown, start, useBrowser } from "./browser.js";

const markup = `"'><img src=x onerror=alert(1)><script>alert(2)</script><b class=pwned>bold</b>{{7*7}}\${7*7}`;

const hostile = defineDecision({
  id: "~..-_",
  version: markup,
  description: markup,
  meta: {
    [markup]: markup,
    owner: { [markup]: [markup] },
    examples: [{ name: markup, input: { [markup]: markup, kind: markup } }],
  },
  inputSchema: z.object({
    [markup]: z.string().meta({ title: markup, description: markup, examples: [markup] }),
    kind: z.enum([markup, "plain"]),
    __html: z.optional(z.string()),
    dangerouslySetInnerHTML: z.optional(z.object({ __html: z.string() })),
  }),
  outputSchema: z.object({ [markup]: z.string(), children: z.unknown() }),
  profileSchema: z.object({ limit: z.string().default(markup) }),
  rules: [
    {
      id: markup,
      when: (input) => input.kind === markup,
      emit: () => ({
        [markup]: markup,
        // Data that a careless page could mistake for an element.
        children: {
          type: "img",
          props: { src: "x", onerror: "alert(3)" },
          __html: markup,
          constructor: undefined,
        },
      }),
      explain: markup,
    },
  ],
});

const inner = defineDecision({
  id: "inner",
  version: markup,
  inputSchema: z.unknown(),
  outputSchema: z.unknown(),
  profileSchema: z.object({}),
  rules: [{ id: markup, when: () => true, emit: () => ({ [markup]: markup }), explain: markup }],
});

/** Two versions, each of which uses `inner`. */
const outer = ["1", markup].map((version) =>
  defineDecision({
    id: "outer",
    version,
    inputSchema: z.object({}),
    outputSchema: z.unknown(),
    profileSchema: z.object({ limit: z.string().default("") }),
    uses: [inner],
    rules: [
      {
        id: "only",
        when: () => true,
        emit: (_input, _profile, context) => context.evaluate(inner, { [markup]: markup }).status,
      },
    ],
  }),
);

const server = createServer({
  decisions: [hostile],
  profiles: { "~..-_": { limit: markup } },
  logger: false,
});
const site = useBrowser(server);

it("never treats decision data as HTML, wherever it is shown", async () => {
  const { page, requests, faults } = await site.visit(`/docs`);
  await page.getByRole("link", { name: "~..-_" }).waitFor();
  const clean = async (where: string) => {
    for (const selector of ["img", "script:not([src])", ".pwned", "iframe", "[onerror]"]) {
      expect(await page.locator(selector).count(), `${selector} ${where}`).toBe(0);
    }
  };
  await clean("in the overview");
  await page.getByRole("link", { name: "~..-_" }).click();
  await formLoaded(page);
  await clean("on opening");
  await page.getByRole("button", { name: "Evaluate" }).click();
  expect(await shown(page.locator(".status"))).toBe("OK");
  expect(await shown(page.getByRole("region", { name: "Rules, in order" }))).toContain(markup);
  await clean("in the outcome");
  for (const part of ["Input", "Profile", "Output"]) {
    await choose(page.getByRole("group", { name: "Schema of" }), part);
    for (const view of ["JSON", "Table"]) {
      await choose(page.getByRole("group", { name: "Schema as" }), view);
      await clean(`in the ${part} schema as ${view}`);
    }
  }
  await choose(page.getByRole("group", { name: "Outcome as" }), "JSON");
  await choose(page.getByRole("group", { name: "Input as" }), "JSON");
  await openTab(page, "Call it");
  for (const language of ["fetch", "client", "Python", "PowerShell"]) {
    await choose(page.getByRole("group", { name: "Written for" }), language);
    await clean(`in code for ${language}`);
  }
  expect(await shown(page.getByRole("main"))).toContain(markup);
  expect(faults).toEqual([]);
  for (const url of requests)
    expect(new URL(url).origin === site.origin || url.startsWith("data:image/svg+xml")).toBe(true);
});

it("never treats versions, named profiles and used decisions as HTML, and links to web pages only", async () => {
  const versioned = createServer({
    decisions: outer,
    versions: {
      outer: { default: "1", deprecated: { [markup]: { since: "2026-01-01", link: "javascript:alert(4)" } } },
    },
    profiles: { [`outer#${markup}`]: { limit: markup } },
    callerProfiles: { outer: [markup] },
    profileOverride: "merge",
    logger: false,
  });
  const origin = await start(versioned);
  const { page, faults } = await site.visit(`${origin}/docs#/outer`);
  await page.getByRole("combobox", { name: "Version" }).selectOption(markup);
  await page.locator(".deprecated").waitFor();
  expect(await page.locator(".deprecated a, a[href^=javascript]").count()).toBe(0);
  await page.getByRole("combobox", { name: "Profile" }).selectOption(markup);
  await page.getByRole("button", { name: "Evaluate" }).click();
  const used = page.getByRole("region", { name: "Decisions used" });
  expect(await shown(used)).toContain(markup);
  expect(await shown(page.locator(".outcome .status"))).toBe("OK");
  expect(await page.locator("img, .pwned, script:not([src])").count()).toBe(0);
  expect(faults).toEqual([]);
  await page.context().close();
  await versioned.close();
});

it("never treats the content of an error reply or a link as HTML", async () => {
  const call = Buffer.from(
    JSON.stringify({ input: { [markup]: markup, kind: markup, more: markup } }),
  ).toString("base64url");
  const { page, faults } = await site.visit(`/docs#/~..-_?try=${call}`);
  await page.route(`${site.origin}/decisions/~..-_`, (route) =>
    route.fulfill({
      status: 400,
      contentType: "application/json",
      body: JSON.stringify({
        status: "INVALID_INPUT",
        message: markup,
        errors: [
          { path: "/kind", message: markup, keyword: markup },
          { path: `/${markup.replaceAll("/", "~1")}`, message: markup, keyword: "x" },
        ],
        meta: { decisionId: markup, evaluatedAt: markup },
      }),
    }),
  );
  await page.getByRole("button", { name: "Evaluate" }).click();
  await page.locator(".outcome .issue").getByText(markup, { exact: true }).first().waitFor();
  expect(await page.locator("[aria-invalid=true]").count()).toBe(2);
  expect(await page.locator("img, .pwned, script:not([src])").count()).toBe(0);
  expect(faults).toEqual([]);
  await page.goto(`${site.origin}/docs#/${encodeURIComponent(markup)}`);
  await page.getByRole("alert").waitFor();
  expect(await page.locator("img, .pwned, script:not([src])").count()).toBe(0);
});

it("does not run a script injected into the page", async () => {
  const { page, faults } = await site.visit(`/docs`);
  await page.evaluate(`(async () => {
    const script = document.createElement("script");
    script.textContent = "document.title = 'owned'";
    document.body.append(script);
    const inline = document.createElement("div");
    inline.innerHTML = "<img src=data:, onerror=\\"document.title = 'owned'\\">";
    const failed = new Promise((resolve) => inline.firstChild.addEventListener("error", resolve));
    document.body.append(inline);
    await failed;
  })()`);
  await expect.poll(() => faults.join()).toMatch(/Content Security Policy/);
  expect(await page.title()).not.toBe("owned");
});
