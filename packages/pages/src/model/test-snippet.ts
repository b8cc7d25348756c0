import { typedClient } from "./client-snippet.js";
import { isObject, listOf, own, pretty, textOf } from "./json.js";
import { metaOf, type Reply, statusOf } from "./reply.js";
import { sentCall } from "./sent-call.js";
import { asTypeScript } from "./snippets.js";

interface TestSnippetOptions {
  /** Where the service is. */
  readonly service: string;
  readonly id: string;
  /** The version that the test names, so that it goes on testing this one. */
  readonly version: string;
  /** Whether the call needs an API key. The key itself is never written. */
  readonly secured: boolean;
}

/** What the client returns; for everything else, it throws. */
const results: ReadonlySet<string> = new Set(["OK", "NO_MATCH", "INVALID_INPUT", "INVALID_PROFILE"]);

/** Whether a reply is a result that a test can expect. */
export function isTestable(reply: Reply): boolean {
  return results.has(statusOf(reply));
}

/** A call and its result as a test for Vitest, in TypeScript. It asks the service, so it needs no source of the decision. */
export function testSnippet(reply: Reply, { service, id, version, secured }: TestSnippetOptions): string {
  const { input, profile, profileName } = sentCall(reply);
  const ended = textOf(metaOf(reply), "matchedRule") ?? statusOf(reply);
  const key = secured ? `, headers: { "x-api-key": process.env["DECERN_API_KEY"] ?? "" }` : "";
  const options = [
    `version: ${pretty(version)}`,
    ...(profile === undefined ? [] : [`profile: ${asTypeScript(profile, "    ")}`]),
    // The client takes one of the two.
    ...(profileName === undefined || profile !== undefined ? [] : [`profileName: ${pretty(profileName)}`]),
  ];
  return `import { createClient } from "${typedClient}";
import { expect, test } from "vitest";

const decern = createClient({ url: ${pretty(service)}${key} });

test(${pretty(`${id} ${version}: ${ended}`)}, async () => {
  const result = await decern[${pretty(id)}]?.(${asTypeScript(input ?? null, "  ")}, {
${options.map((one) => `    ${one},\n`).join("")}  });
  expect(result).toMatchObject(${asTypeScript(expectedOf(reply), "  ")});
});
`;
}

/** What says how a call ended: not the texts, which may be reworded, and not what differs from call to call. */
function expectedOf(reply: Reply): object {
  const { body } = reply;
  const data = isObject(body) ? own(body, "data") : undefined;
  const matchedRule = textOf(metaOf(reply), "matchedRule");
  const errors = isObject(body) ? listOf(body, "errors") : undefined;
  const paths = errors?.filter(isObject).map((error) => ({ path: textOf(error, "path") }));
  return {
    status: statusOf(reply),
    ...(data === undefined ? {} : { data }),
    ...(paths === undefined ? {} : { errors: paths }),
    ...(matchedRule === undefined ? {} : { meta: { matchedRule } }),
  };
}
