import { type HitPolicy, hitPolicies } from "@decern/table/browser";
import { useState } from "preact/hooks";
import { type Draft, placeOf } from "../draft/draft.js";
import { QuietButton, verbatim } from "../parts/controls.js";
import type { GridColumn } from "../table/columns.js";
import type { CellPlace } from "../table/grid-window.js";
import { policyTexts } from "../table/marked-rows.js";
import type { CheckedDraft } from "./use-draft.js";

interface DraftHeadProps {
  readonly draft: Draft;
  readonly checked: CheckedDraft | undefined;
  /** That is served. */
  readonly version: string;
  /** Whether the rows differ from those that are served. */
  readonly isChanged: boolean;
  readonly onChange: (draft: Draft) => void;
}

/** The version and the hit policy of a draft. */
export function DraftHead({ draft, checked, version, isChanged, onChange }: DraftHeadProps) {
  const { head } = draft;
  // Until it is a change of the draft, so that nothing that the page learns meanwhile takes its place.
  const [typed, setTyped] = useState<string>();
  const problem = (path: string) => checked?.problems.find((one) => one.path === path)?.message;
  const isSame = isChanged && head.version === version;
  const wrongVersion = problem("/version");
  const wrongPolicy = problem("/hitPolicy");
  return (
    <div class="draft-head">
      <label>
        <span>Version</span>
        <input
          type="text"
          {...verbatim}
          value={typed ?? head.version}
          aria-invalid={wrongVersion !== undefined}
          aria-describedby={wrongVersion !== undefined || isSame ? "draft-version-note" : undefined}
          onInput={({ currentTarget: { value } }) => setTyped(value)}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...draft, head: { ...head, version: value.trim() } })
          }
          onBlur={() => setTyped(undefined)}
        />
      </label>
      <label>
        <span>Policy</span>
        <select
          value={head.hitPolicy}
          aria-invalid={wrongPolicy !== undefined}
          aria-describedby={wrongPolicy === undefined ? undefined : "draft-policy-note"}
          onChange={({ currentTarget: { value } }) => {
            const hitPolicy: HitPolicy | undefined = hitPolicies.find((one) => one === value);
            if (hitPolicy !== undefined) onChange({ ...draft, head: { ...head, hitPolicy } });
          }}
        >
          {hitPolicies.map((policy) => (
            <option key={policy} value={policy}>
              {`${policy}: ${policyTexts[policy]}`}
            </option>
          ))}
        </select>
      </label>
      {wrongVersion !== undefined ? (
        <p class="field-problem" id="draft-version-note">
          The version {wrongVersion}.
        </p>
      ) : isSame ? (
        <p class="field-description" id="draft-version-note">
          Version {version} is served with other rows: give the draft a version of its own.
        </p>
      ) : null}
      {wrongPolicy === undefined ? null : (
        <p class="field-problem" id="draft-policy-note">
          {wrongPolicy}
        </p>
      )}
    </div>
  );
}

interface ProblemListProps {
  readonly checked: CheckedDraft | undefined;
  readonly columns: readonly GridColumn[];
  readonly onGo: (place: CellPlace) => void;
}

const mostListed = 3;

/** What is wrong with a draft, and where. */
export function ProblemList({ checked, columns, onGo }: ProblemListProps) {
  if (checked?.failure !== undefined)
    return (
      <p class="stale" role="alert">
        The page cannot check the draft: {checked.failure}
      </p>
    );
  const { problems = [], draft } = checked ?? {};
  const shown = problems.slice(0, mostListed);
  return (
    <div class="findings">
      <p class="findings-status" role="status">
        {checked === undefined ? "Checking the cells…" : countText(problems.length)}
      </p>
      {shown.length === 0 ? null : (
        <ul>
          {shown.map(({ path, message }) => {
            const place = draft && placeOf(path, draft);
            const row = place && (draft.rows[place.row]?.values[0] ?? "Default");
            return (
              <li key={path} class="finding bad">
                <span class="finding-text">
                  {place === undefined ? "The table" : `${row}, ${columns[place.column]?.label ?? ""}`}:{" "}
                  {message}
                </span>
                {place === undefined ? null : (
                  <QuietButton onClick={() => onGo(place)}>
                    Go to<span class="hidden">: {row}</span>
                  </QuietButton>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

/** The reader of tables stops at a hundred. */
const mostFound = 100;

function countText(count: number): string {
  if (count === 0) return "Every cell can be read.";
  if (count === 1) return "1 problem.";
  return count < mostFound ? `${count} problems.` : `${mostFound} problems or more.`;
}
