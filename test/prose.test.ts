import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { proseOfPage, proseOfSource } from "./support/prose.js";
import { filesOf, root, userPages } from "./support/user-pages.js";

/** Words that a reader stumbles over, and what to write instead. A space is any white space. */
interface Rule {
  readonly words: string;
  readonly instead: string;
}

const rules: readonly Rule[] = [
  {
    words: "answer(?:s|ed|ing)?(?! (?:an?|the) (?:complaint|question))",
    instead: "result, response, returns",
  },
  { words: "verdicts?", instead: "result" },
  { words: "faults?", instead: "error" },
  { words: "(?:goes|go|going|gone|went) wrong", instead: "fails, error" },
  { words: "who asks?", instead: "the caller" },
  { words: "nobody", instead: "no caller, no user" },
  { words: "everybody", instead: "every caller, every user" },
  {
    words: "(?:whoever|whomever|whom)(?! a record)",
    instead: "the caller that, the host that",
  },
  { words: "(?:is|are|be|been|was|were) told", instead: "is called with, receives" },
  {
    words: "(?:(?:is|are|be|was|were) let|lets?(?: it| them)?) in",
    instead: "is admitted",
  },
  { words: "another one", instead: "another …, a different …" },
  { words: "at once", instead: "immediately, at the same time" },
  { words: "go(?:es|ing)? on", instead: "continues" },
  { words: "beside", instead: "next to, alongside" },
  { words: "(?<!there )is no (?!longer)", instead: "isn't a" },
  { words: "mend(?:s|ed|ing)?", instead: "fix" },
  { words: "a (?:second|minute) and (?:core|pod|process)", instead: "per second and core" },
  {
    words: "(?:requests|evaluations|calls|records|rows|lines|inputs|messages|results) a (?:second|minute)",
    instead: "per second",
  },
  {
    words: "(?:ns|µs|ms|bytes|MB|inputs) an? (?:evaluation|record|request|call|input|row|line|message)",
    instead: "per evaluation",
  },
];

/** Where a rule is broken: the place, the words, and what to write instead. */
function hitsOf(
  { words, instead }: Rule,
  files: readonly string[],
  proseOf: (text: string) => string,
): readonly string[] {
  const pattern = new RegExp(`\\b(?:${words.replaceAll(" ", "\\s+")})\\b`, "gi");
  return files.flatMap((file) => {
    const prose = proseOf(readFileSync(`${root}/${file}`, "utf8"));
    return [...prose.matchAll(pattern)].map(
      ({ 0: found, index }) =>
        `${file}:${prose.slice(0, index).split("\n").length}: "${found.trim().replaceAll(/\s+/g, " ")}": write "${instead}"`,
    );
  });
}

describe("the pages for users", () => {
  // CONTRIBUTING.md may list the words.
  const pages = userPages.filter((path) => path !== "CONTRIBUTING.md");

  it.each(rules)("have no $words", (rule) => {
    expect(hitsOf(rule, pages, proseOfPage)).toEqual([]);
  });
});

describe("comments, messages and texts in sources", () => {
  const sources = filesOf("packages/*/src/*.ts", "packages/*/src/*.tsx", "apps/*/src/*.ts");

  it.each(rules)("have no $words", (rule) => {
    expect(hitsOf(rule, sources, proseOfSource)).toEqual([]);
  });
});

describe("the check itself", () => {
  it("reads the prose of a page, and keeps its lines", () => {
    const page = "# At `once`\n```ts\nconst once = 1;\n```\nSee [this](./at-once.md).<!-- at once -->\n";
    expect(proseOfPage(page).replaceAll(/ +/g, " ")).toBe("# At \n \n \n \nSee [this . \n");
    expect(proseOfPage(page)).toHaveLength(page.length);
  });

  it("reads the comments and the texts of a source, and keeps its lines", () => {
    const source = [
      "/** Answers `once`.",
      " * At once. */",
      `const answer = /["\`/]/.test(key) ? 'nobody' : \`It took \${answer} ms\`; // Whoever`,
      'throw new Error("at once");',
      "/** @param answers - all */",
      'const sql = `select answered from inbox`; const html = `<p class="verdict">It is loans.answers</p>`;',
      "",
    ].join("\n");
    expect(proseOfSource(source).replaceAll(/ +/g, " ")).toBe(
      '/** Answers .\n At once. */\n `It took ms` // Whoever\n "at once" \n/** - all */\n ` It is ` \n',
    );
    expect(proseOfSource(source)).toHaveLength(source.length);
  });

  it("finds words across lines, and says what to write", () => {
    const found = hitsOf(
      { words: "at once", instead: "immediately" },
      ["SECURITY.md"],
      () => "x\nAt\n  once",
    );
    expect(found).toEqual(['SECURITY.md:2: "At once": write "immediately"']);
  });
});
