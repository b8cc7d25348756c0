import { asTypeScript, type SnippetCall } from "./snippets.js";

/** The package that snippets in TypeScript import. */
export const typedClient = "@decern/client";

/** The call in TypeScript, with the typed client. */
export function clientSnippet({ service, id, version, body, secured }: SnippetCall): string {
  const { input, profile, profileName } = body;
  const options = [
    ...(version === undefined ? [] : [`  version: ${JSON.stringify(version)},`]),
    ...(profile === undefined ? [] : [`  profile: ${asTypeScript(profile, "  ")},`]),
    // The client takes one of the two.
    ...(profileName === undefined || profile !== undefined
      ? []
      : [`  profileName: ${JSON.stringify(profileName)},`]),
  ];
  const key = secured ? `\n  headers: { "x-api-key": process.env.DECERN_API_KEY ?? "" },` : "";
  const more = options.length === 0 ? "" : `, {\n${options.join("\n")}\n}`;
  return `import { createClient } from "${typedClient}";
import type { decisions } from "./decisions.js"; // the list that the service gives to createServer

const decern = createClient<typeof decisions>({
  url: ${JSON.stringify(service)},${key}
});
const result = await decern[${JSON.stringify(id)}](${asTypeScript(input, "")}${more});`;
}
