import { attributeOf, childOf, childrenOf, readXml, type XmlElement, XmlError } from "../model/xml.js";
import { parseDuration } from "../values/durations.js";
import { FeelDate, FeelDateTime, FeelTime } from "../values/temporal.js";
import type { FeelValue } from "../values/value.js";

/** One test file in the form of the technology compatibility kit (`testCases.xsd`). */
export interface TestFile {
  /** The file of the model; undefined where the folder has only one. */
  readonly model: string | undefined;
  readonly cases: readonly TestCase[];
}

export interface TestCase {
  readonly id: string;
  /** A business knowledge model or service that is called, instead of decisions evaluated. */
  readonly invocable: string | undefined;
  readonly given: readonly {
    readonly name: string;
    readonly namespace: string | undefined;
    readonly value: FeelValue;
  }[];
  readonly expected: readonly { readonly name: string; readonly value: FeelValue }[];
}

/**
 * @returns undefined for a document of another kind
 * @throws XmlError
 */
export function readTests(text: string): TestFile | undefined {
  const root = readXml(text);
  if (root.name !== "testCases") return undefined;
  return {
    model: childOf(root, "modelName")?.text.trim() || undefined,
    cases: childrenOf(root, "testCase").map((testCase) => ({
      id: attributeOf(testCase, "id") ?? "",
      invocable: attributeOf(testCase, "invocableName"),
      given: childrenOf(testCase, "inputNode").map((node) => ({
        name: nameOf(node),
        namespace: attributeOf(node, "namespace"),
        value: valueIn(node),
      })),
      expected: childrenOf(testCase, "resultNode").map((node) => ({
        name: nameOf(node),
        value: valueIn(childOf(node, "expected")),
      })),
    })),
  };
}

function nameOf(element: XmlElement): string {
  const name = attributeOf(element, "name");
  if (name === undefined) throw new XmlError(`<${element.name}> has no name`, element.line);
  return name;
}

function valueIn(element: XmlElement | undefined): FeelValue {
  if (element === undefined) return null;
  const components = childrenOf(element, "component");
  if (components.length > 0) {
    return new Map(components.map((component) => [nameOf(component), valueIn(component)]));
  }
  const list = childOf(element, "list");
  if (list !== undefined) return isNil(list) ? null : childrenOf(list, "item").map(valueIn);
  const value = childOf(element, "value");
  if (value === undefined || isNil(value)) return null;
  const type = (attributeOf(value, "xsi:type") ?? "xsd:string").replace(/^.*:/, "");
  return scalarOf(type, type === "string" ? value.text : value.text.trim());
}

function isNil(element: XmlElement): boolean {
  return attributeOf(element, "xsi:nil") === "true";
}

function scalarOf(type: string, text: string): FeelValue {
  switch (type) {
    case "boolean":
      return text === "true";
    case "decimal":
    case "double":
    case "integer":
      return Number(text);
    case "date":
      return FeelDate.parse(text) ?? text;
    case "time":
      return FeelTime.parse(text) ?? text;
    case "dateTime":
      return FeelDateTime.parse(text) ?? text;
    case "duration":
      return parseDuration(text) ?? text;
    default:
      return text;
  }
}
