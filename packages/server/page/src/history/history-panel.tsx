import type { SharedCall } from "../model/share-link.js";
import type { PastCall } from "./past-calls.js";

interface HistoryPanelProps {
  readonly past: readonly PastCall[];
  readonly onRestore: (call: SharedCall) => void;
  /** Takes back the last replacement of the whole call. Undefined where there is nothing to take back. */
  readonly undo: (() => void) | undefined;
}

/** The calls that were evaluated in this tab, each of which can be put into the form again. */
export function HistoryPanel({ past, onRestore, undo }: HistoryPanelProps) {
  if (past.length === 0 && undo === undefined) return null;
  return (
    <section class="card history" aria-labelledby="history-title">
      <div class="card-head">
        <h2 id="history-title">History</h2>
        {undo === undefined ? null : (
          <button type="button" class="quiet" onClick={undo}>
            Undo
          </button>
        )}
      </div>
      <ol>
        {past.map(({ call, ended, at }) => (
          <li key={at + ended}>
            <button type="button" class="quiet" onClick={() => onRestore(call)}>
              <time dateTime={at}>{new Date(at).toLocaleTimeString("en-GB")}</time>
              <code>{ended}</code>
              <span class="history-input">{JSON.stringify(call.input)}</span>
            </button>
          </li>
        ))}
      </ol>
      <p class="field-description">Kept in this tab until it is closed, and sent nowhere.</p>
    </section>
  );
}
