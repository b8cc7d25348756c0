import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createMarkdownRenderer } from "vitepress";
import { describe, expect, it } from "vitest";
import { fromFragment } from "../src/base/state.js";
import { linkTarget } from "../src/markdown/link-target.js";
import { addRules } from "../src/markdown/markdown-rules.js";
import { digestOf, withPolicy } from "../src/markdown/policy.js";
import { sidebarsOf } from "../src/markdown/sidebar.js";
import { addressOf, sitePages } from "../src/markdown/site-pages.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const pages = sitePages(root);
const addresses = pages.map(addressOf);

describe("the pages of the site", () => {
  it("are the guides, the records of decisions and the READMEs of what is published", () => {
    expect(addresses).toEqual(
      expect.arrayContaining(["/", "/docs/", "/docs/profiles", "/packages/core", "/cli"]),
    );
    expect(addresses.filter((address) => address.startsWith("/docs/adr/")).length).toBeGreaterThan(20);
    expect(addresses).not.toContain("/packages/pages");
    expect(new Set(addresses).size).toBe(addresses.length);
    expect(pages.find(({ source }) => source === "docs/testing.md")?.title).toBe("Test decisions");
  });

  it.each([
    ["./profiles.md", "/docs/profiles"],
    ["./profiles.md#named", "/docs/profiles#named"],
    ["../README.md", "/"],
    ["../packages/core/README.md#install", "/packages/core#install"],
    ["../packages/core", "/packages/core"],
    ["./adr", "/docs/adr/0001-schemas-through-a-standard-port"],
    ["https://github.com/decern/decern/blob/main/docs/errors.md", "/docs/errors"],
    ["../deploy/alerts.yaml", "https://github.com/decern/decern/blob/main/deploy/alerts.yaml"],
    ["./examples/kafka", "https://github.com/decern/decern/tree/main/docs/examples/kafka"],
    ["../CONTRIBUTING.md#style", "https://github.com/decern/decern/blob/main/CONTRIBUTING.md#style"],
    ["https://example.com/docs/errors.md", "https://example.com/docs/errors.md"],
    ["#here", "#here"],
    ["mailto:someone@example.com", "mailto:someone@example.com"],
  ])("are linked: %s leads to %s", (href, target) => {
    expect(linkTarget(pages, "docs/hooks.md", href)).toBe(target);
  });
});

describe("the sidebars", () => {
  const index = readFileSync(join(root, "docs/README.md"), "utf8");
  const sidebars = sidebarsOf(pages, index);
  const linksIn = (path: "/" | "/docs/adr/") =>
    sidebars[path].flatMap(({ items }) => items.map(({ link }) => link));
  const isRecord = (address: string) => address.startsWith("/docs/adr/");

  it("have every page but the two that lead to all others, each once", () => {
    expect(linksIn("/docs/adr/")).toEqual(addresses.filter(isRecord));
    const [first = ""] = linksIn("/docs/adr/");
    const others = addresses.filter((address) => !["/", "/docs/"].includes(address) && !isRecord(address));
    expect(linksIn("/").toSorted()).toEqual([...others, first].toSorted());
  });

  it("begin with what a newcomer reads, in the order of the index", () => {
    expect(sidebars["/"][0]).toEqual({
      text: "Start",
      items: [
        { text: "Getting started", link: "/docs/getting-started" },
        { text: "Define decisions", link: "/docs/defining-decisions" },
        { text: "Profiles", link: "/docs/profiles" },
        { text: "Test decisions", link: "/docs/testing" },
        { text: "Choose a host and packages", link: "/docs/packages" },
        { text: "Change a threshold safely", link: "/docs/changing-thresholds" },
      ],
    });
  });
});

describe("the Markdown", () => {
  const renderer = createMarkdownRenderer(root, {
    config: (markdown) => addRules(markdown, { pages, base: "/decern/" }),
  });
  const render = async (text: string, relativePath = "docs/hooks.md") =>
    (await renderer).render(text, { path: join(root, relativePath), relativePath, cleanUrls: true });
  const links = (html: string) => [...html.matchAll(/href="([^"]+)"/g)].map(([, href = ""]) => href);

  it("has links to pages of the site, also with code in them, and leaves code alone", async () => {
    const html = await render("[a](./profiles.md), [`b`](../packages/core), `[c](./x.md)`");
    expect(links(html)).toEqual(["/docs/profiles", "/packages/core"]);
  });

  it("has no heading of a column without a text, which screen readers would announce", async () => {
    const html = await render("| | a |\n| --- | --- |\n| b | c |\n");
    expect(html).toContain("<td></td>");
    expect(html).toMatch(/<th[^>]*>a<\/th>/);
  });

  const decision = 'import { defineDecision } from "@decern/core";\ndefineDecision({});\n';
  const opened = async (html: string) => {
    const [address = ""] = links(html).filter((href) => href.includes("playground"));
    expect(address).toMatch(/^\/decern\/playground\/#/);
    return fromFragment(address.slice(address.indexOf("#")));
  };

  it("opens a decision in the playground, as it stands in the page", async () => {
    expect(await opened(await render(`\`\`\`ts title="a.ts"\n${decision}\`\`\`\n`))).toEqual({
      module: decision,
    });
  });

  it("opens rows in the playground with the contract above them", async () => {
    const contract =
      'import { tableContract } from "@decern/table";\nexport const fee = tableContract({});\n';
    const html = await render(`\`\`\`ts\n${contract}\`\`\`\n\`\`\`csv title="fee.csv"\ntable,fee\n\`\`\`\n`);
    expect(await opened(html)).toEqual({
      module: contract,
      table: { name: "fee.csv", text: "table,fee\n" },
    });
  });

  it.each([
    ["another file", `import { x } from "./x.js";\n${decision}`, "ts"],
    ["a package that it does not have", `import { createServer } from "@decern/server";\n${decision}`, "ts"],
    ["an import, of a fragment", "defineDecision({});\n", "ts"],
    ["another language", decision, "text"],
    ["rows", 'import { tableContract } from "@decern/table";\ntableContract({});\n', "ts"],
  ])("does not open code in the playground that needs %s", async (_, code, language) => {
    expect(await render(`\`\`\`${language}\n${code}\`\`\`\n`)).not.toContain("playground");
  });
});

describe("the policy of a page", () => {
  it("allows the scripts that stand in it, and nothing from elsewhere", () => {
    const html =
      '<head>\n    <meta charset="utf-8">\n<script src="/a.js"></script><script id="b">run()</script></head>';
    const [, policy = ""] = /content="([^"]+)"/.exec(withPolicy(html)) ?? [];
    expect(policy).toContain(`script-src 'self' ${digestOf("run()")};`);
    expect(policy).toMatch(/^default-src 'none'/);
    expect(policy).not.toMatch(/https?:|unsafe-eval/);
    expect(withPolicy(html).indexOf("content-security-policy")).toBeLessThan(
      withPolicy(html).indexOf("<script"),
    );
  });
});
