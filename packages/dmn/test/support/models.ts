import type { DmnDocument } from "../../src/index.js";

/** A document around elements, of DMN 1.5. */
export function dmn(elements: string, attributes = ""): DmnDocument {
  return {
    name: "model.dmn",
    text: `<definitions xmlns="https://www.omg.org/spec/DMN/20230324/MODEL/" name="m" namespace="urn:m" ${attributes}>${elements}</definitions>`,
  };
}

/** A decision of one literal expression. */
export function literal(
  name: string,
  text: string,
  parts: { readonly typeRef?: string; readonly requires?: readonly string[] } = {},
): string {
  const { typeRef, requires = [] } = parts;
  return `<decision name="${name}" id="${name}"><variable name="${name}"${typeRef === undefined ? "" : ` typeRef="${typeRef}"`}/>${requires
    .map((each) => `<informationRequirement>${each}</informationRequirement>`)
    .join("")}<literalExpression><text>${escaped(text)}</text></literalExpression></decision>`;
}

export function input(name: string, typeRef: string): string {
  return `<inputData name="${name}" id="${name}"><variable name="${name}" typeRef="${typeRef}"/></inputData>`;
}

export function requiredInput(id: string): string {
  return `<requiredInput href="#${id}"/>`;
}

export function requiredDecision(id: string): string {
  return `<requiredDecision href="#${id}"/>`;
}

export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
