import type { SharedCall } from "../model/share-link.js";
import type { PastCall } from "./past-calls.js";

interface HistoryPanelProps {
  readonly past: readonly PastCall[];
  readonly onRestore: (call: SharedCall) => void;
}

/** The calls that were evaluated in this tab, each of which can be put into the form again. */
export function HistoryPanel({ past, onRestore }: HistoryPanelProps) {
  if (past.length === 0) return null;
  return (
    <section class="card history" aria-labelledby="history-title">
      <div class="card-head">
        <h2 id="history-title">History</h2>
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
      <p class="field-description">Kept in this tab until you close it. Never sent.</p>
    </section>
  );
}
