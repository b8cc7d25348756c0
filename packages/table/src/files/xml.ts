import { FileError } from "./cells.js";

export type Attributes = Readonly<Record<string, string>>;

/** What a reader of XML calls. Names of elements come without their prefix. */
export interface XmlHandler {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/**
 * Reads XML 1.0 from beginning to end.
 *
 * @throws FileError for what is not well-formed, and for a document type, which could define entities
 */
export function readXml(bytes: Uint8Array, handler: XmlHandler): void {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw malformed("it is not UTF-8", cause);
  }
  if (foreignCharacter.test(text)) throw malformed("it has a character that XML cannot hold");
  new XmlReader(text.includes("\r") ? text.replaceAll(/\r\n?/g, "\n") : text, handler).read();
}

/** An attribute whatever its prefix. */
export function attributeOf(attributes: Attributes, name: string): string | undefined {
  const own = attributes[name];
  if (own !== undefined) return own;
  return Object.entries(attributes).find(([key]) => localName(key) === name && !key.startsWith("xmlns"))?.[1];
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function malformed(problem: string, cause?: unknown): FileError {
  return new FileError("has XML that is not well-formed", { cause: cause ?? new Error(problem) });
}

const foreignCharacter = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/** A character that a name can begin with, apart from a colon. */
const initial =
  "A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}\\u{200D}\\u{2070}-\\u{218F}" +
  "\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}";
const namePattern = new RegExp(
  `^[:${initial}][:${initial}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}]*$`,
  "u",
);

/** Whichever encoding it names, what is read is UTF-8. */
const declaration =
  /^<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(?:"1\.\d+"|'1\.\d+')(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(?:"[A-Za-z][\w.-]*"|'[A-Za-z][\w.-]*'))?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\n]*\?>/;

const entities = new Map(Object.entries({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }));

const [tab, lineFeed, blank, slash, equals, greater] = [0x09, 0x0a, 0x20, 0x2f, 0x3d, 0x3e];

/** A name, and what it is without its prefix. */
interface Name {
  readonly name: string;
  readonly local: string;
}

class XmlReader {
  readonly #text: string;
  readonly #handler: XmlHandler;
  #at = 0;
  /** The elements that have no end yet. */
  readonly #open: Name[] = [];
  #hasRoot = false;
  /** Those that were checked. A document has few, often. */
  readonly #names = new Map<string, Name>();

  constructor(text: string, handler: XmlHandler) {
    this.#text = text;
    this.#handler = handler;
  }

  read(): void {
    const text = this.#text;
    this.#at = declaration.exec(text)?.[0].length ?? 0;
    for (;;) {
      const next = text.indexOf("<", this.#at);
      const end = next < 0 ? text.length : next;
      if (end > this.#at) this.#readText(text.slice(this.#at, end));
      if (next < 0) break;
      this.#at = next + 1;
      this.#readMarkup();
    }
    if (!this.#hasRoot || this.#open.length > 0) throw malformed("it ends early");
  }

  #readMarkup(): void {
    const text = this.#text;
    const start = this.#at;
    const sign = text[start];
    if (sign === "/") this.#readEnd();
    else if (sign === "?") this.#skipInstruction();
    else if (sign !== "!") this.#readStart();
    else if (text.startsWith("!--", start)) {
      const end = this.#find("--", start + 3);
      if (text[end + 2] !== ">") throw malformed('it has "--" in a comment');
      this.#at = end + 3;
    } else if (text.startsWith("![CDATA[", start)) {
      if (this.#open.length === 0) throw malformed("it has text outside of its element");
      const end = this.#find("]]>", start + 8);
      this.#handler.text?.(text.slice(start + 8, end));
      this.#at = end + 3;
    } else if (text.startsWith("!DOCTYPE", start))
      throw new FileError("has XML with a document type, which spreadsheets don't write");
    else throw malformed('it has "<!" and nothing known behind it');
  }

  #skipInstruction(): void {
    const end = this.#find("?>", this.#at + 1);
    const [target = ""] = this.#text.slice(this.#at + 1, end).split(/[ \t\n]/, 1);
    if (target.toLowerCase() === "xml") throw malformed("it has a declaration that is wrong, or late");
    this.#nameOf(target);
    this.#at = end + 2;
  }

  #readStart(): void {
    if (this.#open.length === 0 && this.#hasRoot) throw malformed("it has a second element");
    this.#hasRoot = true;
    const text = this.#text;
    const element = this.#nameOf(this.#takeName());
    const { local } = element;
    const attributes: Record<string, string> = {};
    for (;;) {
      const before = this.#at;
      this.#skipBlanks();
      const next = text.charCodeAt(this.#at);
      if (next === greater || next === slash) break;
      if (this.#at === before) throw malformed("attributes are not separated");
      this.#readAttribute(attributes);
    }
    this.#handler.open?.(local, attributes);
    if (text.charCodeAt(this.#at) === slash) {
      this.#at += 1;
      this.#handler.close?.(local);
    } else this.#open.push(element);
    this.#endTag();
  }

  // By hand: a regular expression per attribute takes a quarter more of the time of reading a workbook.
  #readAttribute(attributes: Record<string, string>): void {
    const text = this.#text;
    const name = this.#takeName();
    this.#nameOf(name);
    this.#skipBlanks();
    if (text.charCodeAt(this.#at) !== equals) throw malformed("an attribute has no value");
    this.#at += 1;
    this.#skipBlanks();
    const quote = text[this.#at];
    if (quote !== '"' && quote !== "'") throw malformed("a value has no quotation marks");
    const end = this.#find(quote, this.#at + 1);
    const start = this.#at + 1;
    this.#at = end + 1;
    if (Object.hasOwn(attributes, name)) throw malformed("an attribute is there twice");
    attributes[name] = attributeValue(text.slice(start, end));
  }

  #readEnd(): void {
    const element = this.#open.pop();
    const isSame = element !== undefined && this.#text.startsWith(element.name, this.#at + 1);
    if (!isSame) throw malformed("an element is ended that was not begun");
    this.#at += 1 + element.name.length;
    this.#skipBlanks();
    this.#endTag();
    this.#handler.close?.(element.local);
  }

  #endTag(): void {
    if (this.#text.charCodeAt(this.#at) !== greater) throw malformed("a tag does not end");
    this.#at += 1;
  }

  #readText(text: string): void {
    if (this.#open.length === 0) {
      if (/[^ \t\n]/.test(text)) throw malformed("it has text outside of its element");
      return;
    }
    if (text.includes("]]>")) throw malformed('it has "]]>" in text');
    this.#handler.text?.(text.includes("&") ? withoutReferences(text) : text);
  }

  /** What a name may be made of, up to what ends it. */
  #takeName(): string {
    const text = this.#text;
    const start = this.#at;
    let at = start;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === greater || code === slash || code === equals || isBlank(code)) break;
    }
    this.#at = at;
    return text.slice(start, at);
  }

  #skipBlanks(): void {
    while (isBlank(this.#text.charCodeAt(this.#at))) this.#at += 1;
  }

  #nameOf(name: string): Name {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    if (!namePattern.test(name)) throw malformed("a name has a character that names don't have");
    const own = { name, local: localName(name) };
    this.#names.set(name, own);
    return own;
  }

  #find(what: string, from: number): number {
    const at = this.#text.indexOf(what, from);
    if (at < 0) throw malformed("it ends early");
    return at;
  }
}

function isBlank(code: number): boolean {
  return code === blank || code === lineFeed || code === tab;
}

function attributeValue(value: string): string {
  if (!/[<&\t\n]/.test(value)) return value;
  if (value.includes("<")) throw malformed('a value has "<"');
  return withoutReferences(value.replaceAll(/[\t\n]/g, " "));
}

/** Without references to characters and to the five entities that XML has of itself. */
function withoutReferences(text: string): string {
  return text.replaceAll(/&(?:#(\d+|x[\dA-Fa-f]+)|(\w+));?|&/g, (reference, code?: string, name = "") => {
    const character = code === undefined ? entities.get(name) : characterOf(code);
    if (character === undefined || !reference.endsWith(";"))
      throw malformed(`it has ${reference}, which stands for nothing`);
    return character;
  });
}

function characterOf(code: string): string | undefined {
  const value = Number(code.startsWith("x") ? `0${code}` : code);
  if (!(value <= 0x10ffff)) return undefined;
  const character = String.fromCodePoint(value);
  return foreignCharacter.test(character) ? undefined : character;
}
