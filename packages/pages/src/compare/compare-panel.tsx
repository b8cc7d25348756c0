import { type ComponentChildren, createContext } from "preact";
import { useContext, useEffect, useMemo, useState } from "preact/hooks";
import { sentCall } from "../model/call.js";
import type { DocsDecision } from "../model/data.js";
import type { Reply } from "../model/reply.js";
import { evaluate } from "../service/api.js";
import { callFor, type Difference, differencesOf, type Rival, type Run, rivalsOf } from "./differences.js";

interface Pinned {
  readonly pinned: Run | undefined;
  readonly pin: (run: Run | undefined) => void;
}

const PinContext = createContext<Pinned>({ pinned: undefined, pin: () => {} });

/** Keeps a pinned run while its decision is open, whatever version of it is shown. */
export function CompareScope({ children }: { readonly children: ComponentChildren }) {
  const [pinned, pin] = useState<Run>();
  const value = useMemo(() => ({ pinned, pin }), [pinned]);
  return <PinContext.Provider value={value}>{children}</PinContext.Provider>;
}

function usePinned(): Pinned {
  return useContext(PinContext);
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
      return;
    let wanted = true;
    const call = callFor(rival, sentCall(reply));
    const by = rival.kind === "version" ? rival.version : version;
    void evaluate({ id, version: by, traced: false, live }, call, apiKey).then((answer) => {
      if (wanted) setRun({ call, reply: answer });
    });
    return () => {
      wanted = false;
    };
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
  const { pinned, pin } = usePinned();
  const rivals = useMemo(() => rivalsOf(decision, pinned !== undefined), [decision, pinned]);
  const [chosen, setChosen] = useState(pinned === undefined ? "" : "pinned");
  const choice = rivals.get(chosen);
  const other = useRivalRun({ id, version, apiKey, live, rival: choice?.rival, reply, pinned });
  if (reply === undefined && pinned === undefined) return null;
  const now: Run | undefined = reply === undefined ? undefined : { call: sentCall(reply), reply };
  return (
    <section class="card compare" aria-labelledby="compare-title">
      <div class="card-head">
        <h2 id="compare-title">Compare</h2>
        {now === undefined ? null : (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              pin(now);
              setChosen("pinned");
            }}
          >
            Pin this outcome
          </button>
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
        <Differences label={choice.label} lines={differencesOf(other, now)} />
      )}
    </section>
  );
}

const parts = { answer: "", output: "Output ", input: "Input ", profile: "Profile ", rule: "Rule " } as const;

function Differences({ label, lines }: { readonly label: string; readonly lines: readonly Difference[] }) {
  return (
    <div class="compare-lines">
      <p role="status">{lines.some(({ differs }) => differs) ? "" : "No difference."}</p>
      <table>
        <caption class="hidden">{label} and this outcome</caption>
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">What</span>
            </th>
            <th scope="col">{label}</th>
            <th scope="col">This outcome</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ part, name, left, right, differs }) => (
            <tr key={`${part} ${name}`} class={differs ? "differs" : undefined}>
              <th scope="row">
                {parts[part]}
                {part === "answer" ? name : <code>{name}</code>}
                {differs ? <span class="hidden">, different</span> : null}
              </th>
              <td>{shown(part, left)}</td>
              <td>{shown(part, right)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function shown(part: Difference["part"], value: unknown) {
  if (value === undefined) return <span class="absent">none</span>;
  return part === "answer" || part === "rule" ? String(value) : <code>{JSON.stringify(value)}</code>;
}
