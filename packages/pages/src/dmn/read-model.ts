import { isObject, own } from "../json/values.js";

/** Something that a result depends on. */
export interface ModelPart {
  readonly key: string;
  readonly kind: "Decision" | "Decision service" | "Business knowledge" | "Input";
  readonly name: string;
  /** Of its variable. */
  readonly type: string | undefined;
  readonly description: string | undefined;
  readonly requires: readonly { readonly key: string; readonly name: string }[];
  /** What it calculates with. */
  readonly logic: Element | undefined;
}

const kinds: Readonly<Record<string, ModelPart["kind"]>> = {
  decision: "Decision",
  decisionService: "Decision service",
  businessKnowledgeModel: "Business knowledge",
  inputData: "Input",
};

const references = new Set(["requiredDecision", "requiredInput", "requiredKnowledge", "outputDecision"]);

/** Not the logic of an element. */
const others = new Set(["description", "question", "allowedAnswers", "variable", "extensionElements"]);

/**
 * A decision and what it requires, directly or through others, in the order in which they are met.
 *
 * @param document - `{ documents: [{ name, text }] }`, of which the service has read each text
 * @param id - of the decision: its name, with `-` for what ids can't have
 */
export function readModel(document: unknown, id: string): readonly ModelPart[] {
  const known = elementsOf(document);
  const start = [...known].find(
    ([, element]) => /^decision(Service)?$/.test(element.localName) && idOf(nameOf(element)) === id,
  );
  if (start === undefined) return [];
  const parts: ModelPart[] = [];
  const seen = new Set([start[0]]);
  // A set that grows while it is read.
  for (const key of seen) {
    const element = known.get(key);
    const kind = element && kinds[element.localName];
    if (element === undefined || kind === undefined) continue;
    const requires = referencesOf(element).filter((each) => known.has(each));
    for (const each of requires) seen.add(each);
    parts.push({
      key,
      kind,
      name: nameOf(element),
      type: childOf(element, "variable")?.getAttribute("typeRef") ?? undefined,
      description: textOf(element, "description"),
      requires: requires.map((each) => ({ key: each, name: nameOf(known.get(each)) })),
      logic: [...element.children].find(
        ({ localName }) =>
          !others.has(localName) && !/Requirement$|^(output|input)(Decision|Data)$/.test(localName),
      ),
    });
  }
  return parts;
}

/** Elements by namespace and id, or name where there is no id. */
function elementsOf(document: unknown): ReadonlyMap<string, Element> {
  const listed = isObject(document) ? own(document, "documents") : undefined;
  const known = new Map<string, Element>();
  for (const each of Array.isArray(listed) ? listed : []) {
    const text: unknown = isObject(each) ? own(each, "text") : undefined;
    if (typeof text !== "string") continue;
    const root = new DOMParser().parseFromString(text, "application/xml").documentElement;
    const namespace = root.getAttribute("namespace") ?? "";
    for (const element of root.children)
      known.set(`${namespace}#${element.getAttribute("id") ?? nameOf(element)}`, element);
  }
  return known;
}

function referencesOf(element: Element): readonly string[] {
  const namespace = element.parentElement?.getAttribute("namespace") ?? "";
  const found = [...element.children].flatMap((child) => [child, ...child.children]);
  const hrefs = found
    .filter(({ localName }) => references.has(localName))
    .map((reference) => reference.getAttribute("href") ?? "");
  return [...new Set(hrefs.map((href) => (href.startsWith("#") ? namespace + href : href)))];
}

export function nameOf(element: Element | undefined): string {
  return element?.getAttribute("name") ?? "";
}

function idOf(name: string): string {
  return name.replace(/[^A-Za-z0-9._~-]+/g, "-").slice(0, 100);
}

export function childOf(element: Element, name: string): Element | undefined {
  return [...element.children].find(({ localName }) => localName === name);
}

export function childrenOf(element: Element, name: string): readonly Element[] {
  return [...element.children].filter(({ localName }) => localName === name);
}

/** The text of a child; undefined where it has none. */
export function textOf(element: Element, name: string): string | undefined {
  const text = childOf(element, name)?.textContent?.trim();
  return text === "" ? undefined : text;
}
