import { type ComponentChildren, createContext } from "preact";
import { useContext, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { sentCall } from "../model/call.js";
import type { DocsDecision } from "../model/data.js";
import type { Reply } from "../model/reply.js";
import { settled } from "../parts/browser.js";
import { QuietButton } from "../parts/controls.js";
import { evaluate } from "../service/api.js";
import { DifferenceTable } from "./difference-table.js";
import { callFor, type Difference, differencesOf, type Rival, type Run, rivalsOf } from "./differences.js";

interface Comparing {
  /** The version that was shown before. */
  readonly before: string | undefined;
  readonly pinned: Run | undefined;
  readonly pin: (run: Run | undefined) => void;
  /** The key of what is compared with. Empty for nothing. */
  readonly rival: string;
  readonly setRival: (key: string) => void;
  /** The id of the tab that is shown. */
  readonly tab: string;
  readonly showTab: (id: string) => void;
}

const CompareContext = createContext<Comparing>({
  before: undefined,
  pinned: undefined,
  pin: () => {},
  rival: "",
  setRival: () => {},
  tab: "why",
  showTab: () => {},
});

interface CompareScopeProps {
  /** The version that is shown. Undefined while one loads. */
  readonly version: string | undefined;
  readonly children: ComponentChildren;
}

/** Keeps what is compared while its decision is open, whatever version of it is shown. */
export function CompareScope({ version, children }: CompareScopeProps) {
  const versions = useRef({ now: version, before: version });
  if (version !== undefined && version !== versions.current.now)
    versions.current = { now: version, before: versions.current.now };
  const { before } = versions.current;
  const [pinned, pin] = useState<Run>();
  const [rival, setRival] = useState("");
  const [tab, showTab] = useState("why");
  const value = useMemo(
    () => ({ before, pinned, pin, rival, setRival, tab, showTab }),
    [before, pinned, rival, tab],
  );
  return <CompareContext.Provider value={value}>{children}</CompareContext.Provider>;
}

export function useCompared(): Comparing {
  return useContext(CompareContext);
}

/** The version from which the input came, unless it is this one, and what compares with it. */
export function useCarried(version: string) {
  const { before: from, setRival, showTab } = useCompared();
  return {
    from: from === version ? undefined : from,
    compare: () => {
      setRival(`version ${from}`);
      showTab("compare");
    },
  };
}

interface Compared {
  readonly id: string;
  readonly version: string | undefined;
  readonly apiKey: string;
  /** Whether the page may evaluate without being counted. */
  readonly live: boolean;
  readonly rival: Rival | undefined;
  /** The result that the page shows. */
  readonly reply: Reply | undefined;
  readonly pinned: Run | undefined;
}

/** The run to compare with. Another version or profile evaluates each call that the page has a result for. */
function useRivalRun({ id, version, apiKey, live, rival, reply, pinned }: Compared): Run | undefined {
  const [run, setRun] = useState<Run>();
  useEffect(() => {
    setRun(undefined);
    if (rival === undefined || rival.kind === "pinned" || reply === undefined || reply.httpStatus === 0)
      return undefined;
    const call = callFor(rival, sentCall(reply));
    const by = rival.kind === "version" ? rival.version : version;
    const asked = evaluate({ id, version: by, traced: false, live }, call, apiKey);
    return settled(asked, (answer) => setRun({ call, reply: answer }));
  }, [id, version, apiKey, live, rival, reply]);
  return rival?.kind === "pinned" ? pinned : run;
}

interface ComparePanelProps {
  readonly id: string;
  /** The version that calls name, if they name one. */
  readonly version: string | undefined;
  readonly decision: DocsDecision;
  readonly apiKey: string;
  readonly live: boolean;
  readonly reply: Reply | undefined;
}

/** Puts the result on screen next to another: of a pinned call, or of the same call under another version or profile. */
export function ComparePanel({ id, version, decision, apiKey, live, reply }: ComparePanelProps) {
  const { pinned, pin, rival: chosen, setRival: setChosen } = useCompared();
  const rivals = useMemo(() => rivalsOf(decision, pinned !== undefined), [decision, pinned]);
  const choice = rivals.get(chosen);
  const other = useRivalRun({ id, version, apiKey, live, rival: choice?.rival, reply, pinned });
  if (reply === undefined && pinned === undefined)
    return <p class="field-description">Evaluate first: then there is an outcome to compare.</p>;
  const now: Run | undefined = reply === undefined ? undefined : { call: sentCall(reply), reply };
  return (
    <section class="compare" aria-label="Compare">
      <div class="card-head">
        {now === undefined ? null : (
          <QuietButton
            onClick={() => {
              pin(now);
              setChosen("pinned");
            }}
          >
            Pin this outcome
          </QuietButton>
        )}
      </div>
      {rivals.size === 0 ? (
        <p class="field-description">Pin this outcome to see another one beside it.</p>
      ) : (
        <label class="menu">
          <span>Compare with</span>
          <select
            value={choice === undefined ? "" : chosen}
            onChange={(event) => setChosen(event.currentTarget.value)}
          >
            <option value="">nothing</option>
            {[...rivals].map(([key, { label }]) => (
              <option key={key} value={key}>
                {label}
              </option>
            ))}
          </select>
        </label>
      )}
      {choice === undefined || now === undefined || other === undefined ? null : (
        <Differences label={choice.label} lines={differencesOf(other, now, decision)} />
      )}
    </section>
  );
}

function Differences({ label, lines }: { readonly label: string; readonly lines: readonly Difference[] }) {
  return (
    <div class="compare-lines">
      <p role="status">{lines.every(({ state }) => state === "same") ? "No difference." : ""}</p>
      <DifferenceTable
        caption={`${label} and this outcome`}
        left={label}
        right="This outcome"
        differences={lines}
      />
    </div>
  );
}
