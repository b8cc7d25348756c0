import { metaOf, type Reply } from "../model/reply.js";
import { isTestable, testSnippet } from "../model/test-snippet.js";
import { CopyButton } from "../parts/copy-button.js";
import { serviceUrl } from "../service/api.js";

interface CallFactsProps {
  readonly reply: Reply;
  readonly id: string;
  /** The version that evaluated. */
  readonly version: string;
  /** Whether calls need an API key. */
  readonly secured: boolean;
}

/** How the call went, for those who look into the transport: HTTP status, time taken, instant and request id. */
export function CallFacts({ reply, id, version, secured }: CallFactsProps) {
  const { httpStatus, milliseconds, requestId } = reply;
  const evaluatedAt = metaOf(reply)["evaluatedAt"];
  return (
    <div class="call-facts">
      <div class="status-line">
        {httpStatus === 0 ? null : <span>HTTP {httpStatus}</span>}
        <span>{milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms</span>
        {typeof evaluatedAt === "string" ? (
          <time dateTime={evaluatedAt}>{clockTime(evaluatedAt)}</time>
        ) : null}
      </div>
      {requestId === undefined ? null : (
        <p class="request-id">
          <span>x-request-id</span>
          <code>{requestId}</code>
          <CopyButton label="Copy" text={() => requestId} />
        </p>
      )}
      {isTestable(reply) ? (
        <div class="copies">
          <CopyButton
            label="Copy as test"
            done="Test copied"
            text={() => testSnippet(reply, { service: serviceUrl(), id, version, secured })}
          />
        </div>
      ) : null}
    </div>
  );
}

function clockTime(iso: string): string {
  return iso.replace("T", " ").replace("Z", " UTC");
}
