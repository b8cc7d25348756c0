import { type Reply, statusOf, toneOf } from "../model/reply.js";
import { verdictOf } from "../model/verdict.js";

interface HeadlineProps {
  readonly reply: Reply;
  readonly onRetry: () => void;
}

/** The verdict and its reason: what people came for, before anything else. */
export function Headline({ reply, onRetry }: HeadlineProps) {
  const { rule, title, reason, mayPass } = verdictOf(reply);
  const status = statusOf(reply);
  const { retryAfter } = reply;
  return (
    <div class={`headline ${toneOf(status)}`}>
      <p class="decided">
        {rule === undefined ? (
          <span>{title}</span>
        ) : (
          <span>
            <code>{rule}</code> decided
          </span>
        )}
        <strong class={`status ${toneOf(status)}`}>{status.replaceAll("_", " ")}</strong>
      </p>
      {reason === undefined ? null : <p class="reason">{reason}</p>}
      {mayPass ? (
        <p class="retry">
          <button type="button" class="quiet" onClick={onRetry}>
            Retry
          </button>
          {retryAfter === undefined ? null : <span>The service asks to wait {retryAfter} s.</span>}
        </p>
      ) : null}
    </div>
  );
}
