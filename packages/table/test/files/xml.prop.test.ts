import fc from "fast-check";
import { SaxesParser } from "saxes";
import { expect, it } from "vitest";
import { FileError } from "../../src/files/cells.js";
import { readXml } from "../../src/files/xml.js";

type Event =
  | readonly ["open", string, Readonly<Record<string, string>>]
  | readonly ["text" | "close", string];

/** Texts in a row are one: where a parser divides them says nothing. */
class Events {
  readonly list: Event[] = [];
  open = (name: string, attributes: Readonly<Record<string, string>>) =>
    void this.list.push(["open", name, { ...attributes }]);
  close = (name: string) => void this.list.push(["close", name]);
  text = (text: string): void => {
    const last = this.list.at(-1);
    if (last?.[0] === "text") this.list[this.list.length - 1] = ["text", last[1] + text];
    else if (text !== "") this.list.push(["text", text]);
  };
}

/** What saxes reads; `undefined` for what it refuses. */
function judged(xml: string): readonly Event[] | undefined {
  const events = new Events();
  const parser = new SaxesParser({ xmlns: false });
  const local = (name: string) => name.slice(name.indexOf(":") + 1);
  let depth = 0;
  let isRefused = false;
  parser.on("error", () => (isRefused = true));
  parser.on("doctype", () => (isRefused = true));
  parser.on("opentag", ({ name, attributes }) => {
    depth += 1;
    events.open(local(name), attributes);
  });
  parser.on("closetag", ({ name }) => {
    depth -= 1;
    events.close(local(name));
  });
  const text = (each: string) => depth > 0 && events.text(each);
  parser.on("text", text);
  parser.on("cdata", text);
  parser.write(xml).close();
  return isRefused ? undefined : events.list;
}

function read(xml: string): readonly Event[] | undefined {
  const events = new Events();
  try {
    readXml(new TextEncoder().encode(xml), events);
    return events.list;
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

const name = fc.constantFrom("c", "v", "x:row", "sheetData", "ü", "a-b.c", "_1");
const texts = fc.constantFrom(
  ..."1.5|a b|&amp;|&#65;|&#x1F600;|&lt;\r\n|\n\t|x]|>|'|\"|€|😀|<!-- c -->|<![CDATA[<&]] >]]>|<?pi a?>".split(
    "|",
  ),
);
const values = fc.constantFrom("", "A1", "&quot;&gt;", "\n a\t", "&#10;", "'", "ü");

const element: fc.Arbitrary<string> = fc.letrec<{ readonly element: string }>((tie) => ({
  element: fc
    .tuple(
      name,
      fc.uniqueArray(fc.tuple(name, values), { maxLength: 3, selector: ([own]) => own }),
      fc.array(fc.oneof({ depthSize: "small" }, texts, tie("element")), { maxLength: 4 }),
      fc.constantFrom("", " ", "\r\n"),
    )
    .map(([own, attributes, children, blank]) => {
      const list = attributes.map(([key, value]) => ` ${key}${blank}=${blank}"${value}"`).join("");
      return children.length === 0
        ? `<${own}${list}${blank}/>`
        : `<${own}${list}${blank}>${children.join("")}</${own}${blank}>`;
    }),
})).element;

const documents = fc
  .tuple(
    fc.constantFrom("", '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n', "<!-- a -->\n"),
    element,
    fc.constantFrom("", "\n", "<!-- b --> <?pi?>"),
  )
  .map((parts) => parts.join(""));

const runs = Number(process.env["DECERN_PROP_RUNS"] ?? 2000);

it("reads what saxes reads", () => {
  fc.assert(
    fc.property(documents, (xml) => {
      const events = judged(xml);
      expect(events).toBeDefined();
      expect(read(xml)).toEqual(events);
    }),
    { numRuns: runs },
  );
});

const mistakes = fc.constantFrom(
  ..."<|>|/|=|\"|'|&|;|&#0;|&#xD800;|&#x110000;|&b;|--|]]>|<!--|-->|<![CDATA[|<!DOCTYPE a>|<?xml?>|\u0000|\u0001|\uFFFE| |a|</c>|<c>|:".split(
    "|",
  ),
);

it("refuses what saxes refuses", () => {
  fc.assert(
    fc.property(documents, fc.nat(), fc.nat({ max: 3 }), mistakes, (xml, at, length, mistake) => {
      const start = at % (xml.length + 1);
      const spliced = xml.slice(0, start) + mistake + xml.slice(start + length);
      // Without halves of characters, which no file has.
      const broken = Buffer.from(spliced).toString();
      // In a few places, such as the name of an instruction, saxes lets more pass than XML 1.0.
      const found = read(broken);
      if (found !== undefined) expect(found).toEqual(judged(broken));
    }),
    { numRuns: runs * 5 },
  );
});
