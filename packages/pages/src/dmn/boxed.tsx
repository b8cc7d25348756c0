import { CodeBlock, reachable } from "../parts/code.js";
import { childOf, childrenOf, nameOf, textOf } from "./read-model.js";

interface BoxedProps {
  readonly box: Element | undefined;
  /** The name of the decision, and those of the entries that the expression is in: what its rows are called. */
  readonly path: string;
  /** Ids of rows that the result on screen comes from. */
  readonly matched: ReadonlySet<string>;
}

/** An expression of a model: a table as a table, anything else as its parts with the text of each. */
export function Boxed({ box, path, matched }: BoxedProps) {
  if (box === undefined) return null;
  const within = (inner: Element | undefined, at = path) => <Boxed box={inner} path={at} matched={matched} />;
  switch (box.localName) {
    case "literalExpression":
      return <CodeBlock label={`Expression of ${path}`}>{textOf(box, "text") ?? ""}</CodeBlock>;
    case "decisionTable":
      return <DecisionTable {...{ box, path, matched }} />;
    case "context":
      return (
        <dl class="boxed">
          {childrenOf(box, "contextEntry").map((entry, index) => {
            const variable = childOf(entry, "variable");
            const name = nameOf(variable);
            return (
              <div key={String(index)}>
                <dt>{variable === undefined ? "Result" : name}</dt>
                <dd>{within(expressionIn(entry), variable === undefined ? path : `${path}/${name}`)}</dd>
              </div>
            );
          })}
        </dl>
      );
    case "encapsulatedLogic":
    case "functionDefinition": {
      const names = childrenOf(box, "formalParameter").map(nameOf);
      return (
        <>
          <p class="field-description">Parameters: {names.length === 0 ? "none" : names.join(", ")}</p>
          {within(expressionIn(box))}
        </>
      );
    }
    default:
      return (
        <dl class="boxed">
          {[...box.children].map((part, index) => (
            <div key={String(index)}>
              <dt>{labelOf(part)}</dt>
              <dd>{isExpression(part) ? within(part) : within(expressionIn(part))}</dd>
            </div>
          ))}
        </dl>
      );
  }
}

const expressions = new Set([
  "literalExpression",
  "decisionTable",
  "context",
  "functionDefinition",
  "invocation",
  "relation",
  "list",
  "conditional",
  "filter",
  "for",
  "some",
  "every",
]);

function isExpression({ localName }: Element): boolean {
  return expressions.has(localName);
}

function expressionIn(element: Element): Element | undefined {
  return [...element.children].find(isExpression);
}

/** What a part is called: the parameter of a binding, the name of a column, else its kind. */
function labelOf(part: Element): string {
  const name = nameOf(childOf(part, "parameter")) || nameOf(part);
  if (name !== "") return name;
  return isExpression(part) ? "" : part.localName;
}

const policies: Readonly<Record<string, string>> = {
  UNIQUE: "Exactly one row may match",
  ANY: "Rows that match have the same result",
  FIRST: "The first row that matches decides",
  PRIORITY: "Of the rows that match, the one whose result comes first decides",
  COLLECT: "All rows that match are in the result",
  "RULE ORDER": "All rows that match are in the result, in their order",
  "OUTPUT ORDER": "All rows that match are in the result, in the order of their priority",
};

function DecisionTable({ box, path, matched }: BoxedProps & { readonly box: Element }) {
  const policy = box.getAttribute("hitPolicy") ?? "UNIQUE";
  const aggregation = box.getAttribute("aggregation");
  const inputs = childrenOf(box, "input").map((input) => {
    const expression = childOf(input, "inputExpression");
    return (
      input.getAttribute("label") ?? (expression === undefined ? "" : (textOf(expression, "text") ?? ""))
    );
  });
  const outputs = childrenOf(box, "output").map(
    (output) => `→ ${output.getAttribute("label") ?? output.getAttribute("name") ?? "result"}`,
  );
  return (
    <>
      <p class="field-description">
        {policies[policy] ?? policy}
        {aggregation === null ? "" : `, as ${aggregation.toLowerCase()}`}.
      </p>
      <section class="model-table" aria-label={`Table of ${path}`} {...reachable}>
        <table>
          <caption class="hidden">{`Rows of ${path}`}</caption>
          <thead>
            <tr>
              {["Row", ...inputs, ...outputs].map((head, index) => (
                <th key={String(index)} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {childrenOf(box, "rule").map((rule, index) => {
              const isMatched = matched.has(`${path}/${index + 1}`);
              const cells = [...childrenOf(rule, "inputEntry"), ...childrenOf(rule, "outputEntry")];
              return (
                <tr key={String(index)} class={isMatched ? "matched" : undefined}>
                  <th scope="row">
                    {`${index + 1} `}
                    {isMatched ? <span class="mark">Matched</span> : null}
                  </th>
                  {cells.map((cell, at) => (
                    <td key={String(at)}>
                      <code>{textOf(cell, "text") ?? "-"}</code>
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
    </>
  );
}
