import { SaxesParser } from "saxes";

/** An element without its namespace's prefix. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** What is directly inside, between children too. */
  readonly text: string;
  readonly line: number;
}

/** A document is not XML that can be read safely. */
export class XmlError extends Error {
  override readonly name = "XmlError";
  readonly line: number;

  constructor(message: string, line: number, options?: ErrorOptions) {
    super(message, options);
    this.line = line;
  }
}

const largest = 10 * 1024 * 1024;
const deepest = 64;

interface OpenElement extends XmlElement {
  readonly children: OpenElement[];
  text: string;
}

/**
 * Reads a document into its elements.
 *
 * @throws XmlError for what is not well-formed, a document type (it could define entities), more than 10 MB, and elements nested
 * more than 64 deep
 */
export function readXml(text: string): XmlElement {
  if (text.length > largest) throw new XmlError("is larger than 10 MB", 1);
  const parser = new SaxesParser({ xmlns: false, position: true });
  const fail = (message: string, cause?: unknown): never => {
    throw new XmlError(message, parser.line, { cause });
  };
  const open: OpenElement[] = [];
  let root: XmlElement | undefined;
  parser.on("error", (error) => fail("has XML that is not well-formed", error));
  parser.on("doctype", () => fail("has a document type, which models don't have"));
  parser.on("opentag", ({ name, attributes }) => {
    if (open.length >= deepest) fail(`has elements nested more than ${deepest} deep`);
    const element = { name: localName(name), attributes, children: [], text: "", line: parser.line };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  const append = (part: string): void => {
    const element = open.at(-1);
    if (element !== undefined) element.text += part;
  };
  parser.on("text", append);
  parser.on("cdata", append);
  parser.on("closetag", () => {
    open.pop();
  });
  parser.write(text).close();
  return root ?? fail("has no element");
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((child) => child.name === name);
}

export function childrenOf(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

/** An attribute without a prefix. */
export function attributeOf(element: XmlElement, name: string): string | undefined {
  return Object.hasOwn(element.attributes, name) ? element.attributes[name] : undefined;
}

/** The text of a child, such as `<text>`. */
export function textIn(element: XmlElement, name: string): string | undefined {
  return childOf(element, name)?.text.trim();
}
