import { SaxesParser } from "saxes";

/** One element of a document. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

/** An element whose end is not read yet. */
interface OpenElement {
  readonly children: XmlElement[];
  text: string;
}

/** Reads XML strictly: throws for whatever is not well-formed. */
export function readXml(xml: string): XmlElement {
  const parser = new SaxesParser();
  const root: OpenElement = { children: [], text: "" };
  const stack: OpenElement[] = [root];
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes, children: [], text: "" };
    stack.at(-1)?.children.push(element);
    stack.push(element);
  });
  parser.on("text", (text) => {
    const element = stack.at(-1);
    if (element !== undefined) element.text += text;
  });
  parser.on("closetag", () => void stack.pop());
  parser.write(xml).close();
  const [element] = root.children;
  if (element === undefined) throw new Error("no element");
  return element;
}
