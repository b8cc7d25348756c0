import type { TableDocument } from "@decern/table/browser";
import { useMemo } from "preact/hooks";
import type { GridColumn } from "./columns.js";
import { Condition, RuleName } from "./grid-row.js";
import { closestRows, type MarkedRows, markOf, outputText, stateOf } from "./marked-rows.js";

interface RowCardsProps {
  readonly document: TableDocument;
  readonly columns: readonly GridColumn[];
  readonly marked: MarkedRows;
}

const mostCards = 5;

/** The rows that decided, else those that the call met, else those that it nearly met: each with the cell that failed first. */
export function RowCards({ document, columns, marked }: RowCardsProps) {
  const { met, places } = useMemo(() => {
    const met = document.rules.flatMap(({ id }, row) =>
      marked.decides.has(id) || marked.met.has(id) ? [row] : [],
    );
    return { met, places: met.length > 0 ? met : closestRows(document, marked, mostCards) };
  }, [document, marked]);
  const byDefault = marked.decides.has("default");
  const title = met.length > 0 ? "Rows that match" : "Rows that nearly match";
  return (
    <section class="row-cards" aria-labelledby="row-cards-title">
      <h3 id="row-cards-title">{title}</h3>
      {met.length === 0 ? (
        <p class="field-description">No row matches{byDefault ? ", so the default applies" : ""}.</p>
      ) : null}
      <ul>
        {places.slice(0, mostCards).map((row) => (
          <RowCard key={row} row={row} document={document} columns={columns} marked={marked} />
        ))}
      </ul>
      {places.length > mostCards ? (
        <p class="field-description">And {places.length - mostCards} more.</p>
      ) : null}
    </section>
  );
}

function RowCard({ document, columns, marked, row }: RowCardsProps & { readonly row: number }) {
  const rule = document.rules[row];
  if (rule === undefined) return null;
  const state = stateOf(rule.id, marked);
  const inputs = columns.flatMap((column) => {
    const cell = rule.if[column.place] ?? "-";
    return column.kind === "input" ? [{ column, cell, mark: markOf(marked, column.place, cell) }] : [];
  });
  const failedFirst = [
    ...inputs.filter(({ mark = "" }) => mark !== ""),
    ...inputs.filter(({ mark = "" }) => mark === ""),
  ];
  return (
    <li class={`row-card ${state}`}>
      <p class="row-card-name">
        <RuleName rule={rule} marked={marked} />
      </p>
      <dl>
        {failedFirst.map(({ column, cell, mark }) => (
          <div key={column.place} class={mark === "" ? "held" : "failed"}>
            <dt>{column.label}</dt>
            <dd>
              <Condition cell={cell} mark={mark} />
            </dd>
          </div>
        ))}
        {columns.map(({ kind, label, place }) =>
          kind === "output" ? (
            <div key={`output ${place}`} class="output">
              <dt>{label}</dt>
              <dd>
                <code>{outputText(rule.then[place])}</code>
              </dd>
            </div>
          ) : null,
        )}
      </dl>
      {rule.note === undefined ? null : <p class="row-note">{rule.note}</p>}
    </li>
  );
}
