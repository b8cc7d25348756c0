import { readFileSync } from "node:fs";

/** The parts of the page. */
export interface SwaggerUIAssets {
  readonly script: string;
  readonly style: string;
}

/** The package's build puts the files here. */
const folder = new URL("../../swagger-ui/", import.meta.url);

let assets: SwaggerUIAssets | undefined;

/** Reads Swagger UI once, at the first call, because most processes never need its 2 MB. */
export function swaggerUIAssets(): SwaggerUIAssets {
  if (assets === undefined) {
    const script = readFileSync(new URL("swagger-ui-bundle.js", folder), "utf8");
    const style = readFileSync(new URL("swagger-ui.css", folder), "utf8");
    assets = { script: inlineScript(script), style: inlineStyle(style) };
  }
  return assets;
}

/**
 * Makes a script safe inside a `script` element. `</script` would end it, and after `<!--` a `<script` would keep it from
 * ending; in strings and regular expressions, the only places where the library has them, `\x3c` means the same as `<`.
 *
 * @see https://html.spec.whatwg.org/multipage/scripting.html#restrictions-for-contents-of-script-elements
 */
export function inlineScript(script: string): string {
  return withoutSourceMap(script).replaceAll(/<(?=!--|\/script)/gi, "\\x3c");
}

/** Makes a style sheet safe inside a `style` element. */
export function inlineStyle(style: string): string {
  return withoutSourceMap(style).replaceAll(/<(?=\/style)/gi, "\\3c ");
}

/** Removes source maps, which browsers would look for beside the page. Normalizes line ends as HTML parsers do, for the hashes. */
function withoutSourceMap(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replaceAll(/^(\/\/[#@]|\/\*#) sourceMappingURL=.*$/gm, "");
}
