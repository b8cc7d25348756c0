/** What is blanked keeps its length and its lines, so that a place in the prose is one in the file. */
function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, " ");
}

/** The prose of a page in Markdown: no code, no addresses. */
export function proseOfPage(text: string): string {
  return text
    .replaceAll(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1 *$/gm, blank)
    .replaceAll(/<!--[\s\S]*?-->/g, blank)
    .replaceAll(/`[^`\n]*`/g, blank)
    .replaceAll(/\]\([^)\s]*\)/g, blank);
}

const comment = String.raw`\/\*[\s\S]*?\*\/|\/\/[^\n]*`;
const string = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|${"`"}(?:[^${"`"}\\]|\\[\s\S])*${"`"}`;
// A slash divides unless something that can't end an expression comes before it.
const regularExpression = String.raw`(?<=[(,=:[!&|?{};>]\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/`;
const token = new RegExp(`(${comment})|(${string})|${regularExpression}`, "g");

/** A string that is SQL. */
const statement =
  /^.\s*(?:select|insert|update|delete|create|alter|with) [^.]*\b(?:from|into|set|table|schema|as)\b/i;

/** The prose of a source in TypeScript: comments, and strings with several words. */
export function proseOfSource(text: string): string {
  let prose = "";
  let end = 0;
  for (const { 0: all, 1: note, 2: words, index } of text.matchAll(token)) {
    prose += blank(text.slice(end, index)) + proseOfToken(all, note, words);
    end = index + all.length;
  }
  return prose + blank(text.slice(end));
}

function proseOfToken(all: string, note: string | undefined, words: string | undefined): string {
  if (note !== undefined) {
    return note
      .replaceAll(/```[\s\S]*?```/g, blank)
      .replaceAll(/`[^`\n]*`|\{@link [^}]*\}/g, blank)
      .replaceAll(/^\s*\*+\/?|@param [\w.]+/gm, blank);
  }
  const isProse = words !== undefined && /\w [\w$]/.test(words) && !statement.test(words);
  return isProse ? words.replaceAll(/\$\{[^{}]*\}|<[^<>]*>|\w+(?:\.\w+)+/g, blank) : blank(all);
}
