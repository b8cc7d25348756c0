import type { Token } from "./source-tokens.js";

const declaring = /^(?:const|let|var|function|class|enum|export|import|type|interface|default|async)$/;
/** Longer ones are looked at as far as this. */
const mostTokens = 5_000;

/**
 * The tokens that rules may mean by the names they use: what is assigned to such a name, or stands under it in an object, and so
 * on for the names in there. Names are taken at face value, wherever they are declared.
 *
 * @param names - that the rules use
 * @param modules - the tokens of each file
 */
export function reachableFrom(
  names: Iterable<string>,
  modules: readonly (readonly Token[])[],
): ReadonlySet<Token> {
  const places = new Map<string, Place[]>();
  for (const tokens of modules) {
    for (const [index, { kind, text }] of tokens.entries()) {
      if (kind !== "word" && kind !== "text") continue;
      const known = places.get(text);
      if (known === undefined) places.set(text, [{ tokens, index }]);
      else known.push({ tokens, index });
    }
  }
  const found = new Set<Token>();
  const seen = new Set(names);
  // A set that grows while it is read is read to its end.
  for (const name of seen) {
    for (const place of places.get(name) ?? []) {
      for (const token of meantAt(place)) {
        found.add(token);
        if (token.kind === "word") seen.add(token.text);
      }
    }
  }
  return found;
}

/** Where a name stands. */
interface Place {
  readonly tokens: readonly Token[];
  readonly index: number;
}

/** What is declared with a name where it stands. */
function meantAt({ tokens, index }: Place): readonly Token[] {
  const [other, before, name, sign, after] = [-2, -1, 0, 1, 2].map((step) => tokens[index + step]);
  if (name === undefined || declaring.test(name.text)) return [];
  // A name in an import stands for another one.
  if (before?.kind === "word" && before.text === "as" && other !== undefined) return [other];
  const isDeclared = before?.kind === "word" && declaring.test(before.text);
  const isAssigned = isSign(sign, "=") && !isSign(after, "=") && !isSign(after, ">");
  if (!isDeclared && !isAssigned && !isSign(sign, ":")) return [];
  let depth = 0;
  let end = index + 1;
  for (; end < Math.min(tokens.length, index + mostTokens); end += 1) {
    const { kind, text } = tokens[end] ?? name;
    if (kind === "word" && depth === 0 && declaring.test(text) && end > index + 2) break;
    if (kind !== "sign") continue;
    if ("([{".includes(text)) depth += 1;
    else if (")]}".includes(text)) depth -= 1;
    else if (depth === 0 && (text === ";" || (text === "," && !isDeclared))) break;
    if (depth < 0) break;
  }
  return tokens.slice(index + 1, end);
}

function isSign(token: Token | undefined, text: string): boolean {
  return token?.kind === "sign" && token.text === text;
}
