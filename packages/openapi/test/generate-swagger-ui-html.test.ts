import { createHash } from "node:crypto";
import { Script } from "node:vm";
import { describe, expect, it } from "vitest";
import { generateSwaggerUIHtml } from "../src/index.js";
import { inlineScript, inlineStyle } from "../src/swagger-ui.js";

/** The contents of all elements with a name, as an HTML parser finds them. */
function texts(html: string, element: "script" | "style"): readonly string[] {
  const pattern = new RegExp(`<${element}>(.*?)</${element}[\\s/>]`, "gis");
  return [...html.matchAll(pattern)].map(([, text]) => text ?? "");
}

function policyOf(html: string): string {
  const [, content = ""] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
  return content.replaceAll("&#39;", "'");
}

describe("generateSwaggerUIHtml", () => {
  const html = generateSwaggerUIHtml("openapi.json");

  it("is a self-contained page", () => {
    expect(html).toMatch(/^<!doctype html>/);
    const outside = html.replaceAll(/<(script|style)>.*?<\/\1>/gis, "");
    expect(outside).not.toMatch(/\s(src|srcset|action|poster)=/i);
    expect([...outside.matchAll(/\shref="([^"]*)"/g)].map(([, href]) => href)).toEqual(["data:,"]);
    const [style = ""] = texts(html, "style");
    expect(style).toContain(".swagger-ui");
    expect(style).not.toMatch(/@import|url\(["']?(?!["']?data:)/);
  });

  it("has two complete scripts, and allows only these", () => {
    const scripts = texts(html, "script");
    expect(scripts.length).toBe(2);
    for (const script of scripts) {
      expect(() => new Script(script)).not.toThrow();
      expect(script).not.toMatch(/<!--|<\/script/i);
    }
    const hashes = scripts.map(
      (script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`,
    );
    expect(policyOf(html)).toContain(`script-src ${hashes.join(" ")};`);
    expect(policyOf(html)).toContain("default-src 'none'");
    expect(policyOf(html)).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline/);
  });

  it("runs the same scripts for every document", () => {
    expect(texts(generateSwaggerUIHtml("/other.json"), "script")).toEqual(texts(html, "script"));
  });

  it("lets the page call its own origin and the document's", () => {
    expect(policyOf(html)).toMatch(/connect-src 'self';/);
    expect(policyOf(generateSwaggerUIHtml("https://api.example:8443/openapi.json"))).toContain(
      "connect-src 'self' https://api.example:8443;",
    );
  });

  it.each([
    `x"><script>alert(1)</script>`,
    "</script><script>alert(1)//",
    "a'b&quot;&amp;.json",
    "openapi.json?a=1&b=<!--",
  ])("treats %s only as a URL", (url) => {
    const page = generateSwaggerUIHtml(url, { title: url });
    expect(texts(page, "script")).toEqual(texts(html, "script"));
    const [, attribute = ""] = /data-url="([^"]*)"/.exec(page) ?? [];
    const entities: Record<string, string> = {
      "&lt;": "<",
      "&gt;": ">",
      "&quot;": '"',
      "&#39;": "'",
      "&amp;": "&",
    };
    expect(attribute).not.toMatch(/[<>]/);
    expect(attribute.replaceAll(/&[^;]+;/g, (entity) => entities[entity] ?? entity)).toBe(url);
  });

  it.each(["javascript:alert(1)", "data:application/json,{}", "", "http://"])("refuses the URL %j", (url) => {
    expect(() => generateSwaggerUIHtml(url)).toThrow(expect.objectContaining({ code: "INVALID_OPTIONS" }));
  });

  it("refuses an option that does not exist", () => {
    const options: object = { titel: "Loans" };
    expect(() => generateSwaggerUIHtml("openapi.json", options)).toThrow(
      expect.objectContaining({ code: "INVALID_OPTIONS" }),
    );
  });
});

describe("text embedded in an element", () => {
  it("cannot end the element, and keeps its meaning", () => {
    const script = inlineScript(`result = ["</SCRIPT>", "<!-- <script>", /<!--/u.test("<!--")];`);
    expect(script).not.toMatch(/<\/script|<!--/i);
    const sandbox = { result: [] };
    new Script(script).runInNewContext(sandbox);
    expect([...sandbox.result]).toEqual(["</SCRIPT>", "<!-- <script>", true]);
    expect(inlineStyle('a { content: "</style>" }')).toBe('a { content: "\\3c /style>" }');
  });

  it("has no source map reference, and has normalized line ends", () => {
    expect(inlineScript("a;\r\nb;\r//# sourceMappingURL=x.map")).toBe("a;\nb;\n");
    expect(inlineStyle("a{}\n/*# sourceMappingURL=x.css.map */")).toBe("a{}\n");
  });
});
