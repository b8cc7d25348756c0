import { SaxesParser } from "saxes";
import { FileError } from "./cells.js";

export type Attributes = Readonly<Record<string, string>>;

/** What a reader of XML is told. Names come without their prefix. */
export interface XmlHandler {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/**
 * Reads XML from beginning to end.
 *
 * @throws FileError for what is not well-formed, and for a document type, which could define entities
 */
export function readXml(bytes: Uint8Array, handler: XmlHandler): void {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  const fail = (error: unknown): never => {
    if (error instanceof FileError) throw error;
    throw new FileError("has XML that is not well-formed", { cause: error });
  };
  parser.on("error", fail);
  parser.on("doctype", () =>
    fail(new FileError("has XML with a document type, which spreadsheets don't write")),
  );
  parser.on("opentag", ({ name, attributes }) => handler.open?.(localName(name), attributes));
  parser.on("text", (text) => handler.text?.(text));
  parser.on("cdata", (text) => handler.text?.(text));
  parser.on("closetag", ({ name }) => handler.close?.(localName(name)));
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for (let at = 0; at < bytes.length; at += 65_536) {
      const isLast = at + 65_536 >= bytes.length;
      parser.write(decoder.decode(bytes.subarray(at, at + 65_536), { stream: !isLast }));
    }
    parser.close();
  } catch (error) {
    fail(error);
  }
}

function localName(name: string): string {
  const colon = name.indexOf(":");
  return colon < 0 ? name : name.slice(colon + 1);
}

/** An attribute whatever its prefix. */
export function attributeOf(attributes: Attributes, name: string): string | undefined {
  const own = attributes[name];
  if (own !== undefined) return own;
  return Object.entries(attributes).find(([key]) => localName(key) === name && !key.startsWith("xmlns"))?.[1];
}
