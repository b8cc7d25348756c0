import { type ItemDefinition, type Model, type ModelElement, ModelError } from "./model.js";
import { boxIn, readFunction, refuseTwice, typedName, typeRefOf } from "./read-expression.js";
import { attributeOf, childOf, childrenOf, readXml, textIn, type XmlElement } from "./xml.js";

/** The namespaces of models, from 1.1 to 1.6. */
const namespaces = new Set([
  "http://www.omg.org/spec/DMN/20151101/dmn.xsd",
  "http://www.omg.org/spec/DMN/20180521/MODEL/",
  "https://www.omg.org/spec/DMN/20191111/MODEL/",
  "https://www.omg.org/spec/DMN/20211108/MODEL/",
  "https://www.omg.org/spec/DMN/20230324/MODEL/",
  "https://www.omg.org/spec/DMN/20240513/MODEL/",
]);

/**
 * Reads a document. Diagrams and extensions are ignored.
 *
 * @throws XmlError or ModelError
 */
export function readModel(file: string, text: string): Model {
  const root = readXml(text);
  const declared = Object.entries(root.attributes).flatMap(([name, value]) =>
    /^xmlns(:|$)/.test(name) ? [value] : [],
  );
  if (root.name !== "definitions" || !declared.some((uri) => namespaces.has(uri)))
    throw new ModelError("is not a model of DMN 1.1 to 1.6", root.line);
  const namespace = attributeOf(root, "namespace") ?? "";
  const itemDefinitions = childrenOf(root, "itemDefinition").map(readItemDefinition);
  const types = itemDefinitions.map(({ name }) => name);
  refuseTwice(types, "item definitions", root);
  return {
    file,
    name: attributeOf(root, "name") ?? file,
    namespace,
    imports: childrenOf(root, "import").map((element) => ({
      name: attributeOf(element, "name") ?? "",
      namespace: attributeOf(element, "namespace") ?? "",
    })),
    itemDefinitions,
    elements: root.children.flatMap((element) => {
      try {
        return readElement(element, namespace);
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        const name = attributeOf(element, "name") ?? element.name;
        throw new ModelError(error.message, error.line, name);
      }
    }),
  };
}

function readItemDefinition(element: XmlElement): ItemDefinition {
  const name = attributeOf(element, "name");
  if (name === undefined) throw new ModelError(`<${element.name}> has no name`, element.line);
  const tests = (child: string) => {
    const found = childOf(element, child);
    return found === undefined ? undefined : textIn(found, "text");
  };
  const functionItem = childOf(element, "functionItem");
  const components = childrenOf(element, "itemComponent").map(readItemDefinition);
  const names = components.map((component) => component.name);
  refuseTwice(names, "components of a type", element);
  return {
    name,
    typeRef: typeRefOf(element),
    isCollection: attributeOf(element, "isCollection") === "true",
    allowedValues: tests("allowedValues"),
    typeConstraint: tests("typeConstraint"),
    components,
    functionItem:
      functionItem === undefined
        ? undefined
        : {
            parameters: childrenOf(functionItem, "parameters").map(typedName),
            result: attributeOf(functionItem, "outputTypeRef"),
          },
    line: element.line,
  };
}

function readElement(element: XmlElement, namespace: string): readonly ModelElement[] {
  switch (element.name) {
    case "inputData":
      return [{ kind: "input", ...partsOf(element, namespace) }];
    case "decision":
      return [{ kind: "decision", ...partsOf(element, namespace), expression: boxIn(element) }];
    case "businessKnowledgeModel": {
      const logic = childOf(element, "encapsulatedLogic");
      const definition = logic === undefined ? undefined : readFunction(logic);
      return [{ kind: "knowledge", ...partsOf(element, namespace), definition }];
    }
    case "decisionService":
      return [
        {
          kind: "service",
          ...partsOf(element, namespace),
          outputs: referencesIn(element, "outputDecision", namespace),
          inputData: referencesIn(element, "inputData", namespace),
          inputDecisions: referencesIn(element, "inputDecision", namespace),
        },
      ];
    default:
      return [];
  }
}

function partsOf(element: XmlElement, namespace: string) {
  const { name } = typedName(element);
  const variable = childOf(element, "variable");
  const requires = childrenOf(element, "informationRequirement")
    .concat(childrenOf(element, "knowledgeRequirement"))
    .flatMap((requirement) =>
      ["requiredInput", "requiredDecision", "requiredKnowledge"].flatMap((child) =>
        referencesIn(requirement, child, namespace),
      ),
    );
  return {
    id: attributeOf(element, "id") ?? name,
    name,
    description: textIn(element, "description"),
    variable: {
      name: (variable === undefined ? undefined : attributeOf(variable, "name")) ?? name,
      typeRef: variable === undefined ? undefined : typeRefOf(variable),
    },
    requires,
    line: element.line,
  };
}

function referencesIn(element: XmlElement, name: string, namespace: string): readonly string[] {
  return childrenOf(element, name).map((child) => {
    const href = attributeOf(child, "href");
    if (href === undefined) throw new ModelError(`<${name}> refers to nothing`, child.line);
    return href.startsWith("#") ? `${namespace}${href}` : href;
  });
}
