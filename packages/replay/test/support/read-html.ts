import { type DefaultTreeAdapterTypes, parse, parseFragment } from "parse5";

type Node = DefaultTreeAdapterTypes.Node;

/** One element of a document. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** With everything inside it. */
  readonly text: string;
}

/** What parse5, the parser of jsdom, finds in a page or a fragment. */
export interface ReadHtml {
  readonly errors: readonly string[];
  readonly elements: readonly Element[];
  readonly text: string;
}

export function readPage(html: string): ReadHtml {
  const errors: string[] = [];
  const document = parse(html, { onParseError: ({ code }) => errors.push(code) });
  return { errors, elements: elementsOf(document), text: textOf(document) };
}

export function readFragment(html: string): ReadHtml {
  const errors: string[] = [];
  const fragment = parseFragment(html, { onParseError: ({ code }) => errors.push(code) });
  return { errors, elements: elementsOf(fragment), text: textOf(fragment) };
}

function elementsOf(node: Node): readonly Element[] {
  const own =
    "tagName" in node
      ? [
          {
            name: node.tagName,
            attributes: Object.fromEntries(node.attrs.map(({ name, value }) => [name, value])),
            text: textOf(node),
          },
        ]
      : [];
  return [...own, ...childrenOf(node).flatMap(elementsOf)];
}

function textOf(node: Node): string {
  return "value" in node ? node.value : childrenOf(node).map(textOf).join("");
}

function childrenOf(node: Node): readonly Node[] {
  return "childNodes" in node ? node.childNodes : [];
}
