import { type Reply, verdictOf } from "../model/reply.js";
import { Icon } from "../parts/controls.js";

interface SendBarProps {
  readonly reply: Reply | undefined;
  readonly busy: boolean;
  /** Why the call cannot be sent. */
  readonly mistake: string | undefined;
  readonly onCancel: () => void;
  /** Leads to the whole outcome. */
  readonly onShow: () => void;
}

/** The button that evaluates and, where the outcome may be out of sight, the result next to it. */
export function SendBar({ reply, busy, mistake, onCancel, onShow }: SendBarProps) {
  return (
    <div class="send">
      {reply === undefined ? null : <Glance reply={reply} onShow={onShow} />}
      {/* Not `disabled`, because a disabled button loses the keyboard focus. */}
      <button type="submit" class="primary" aria-disabled={busy || mistake !== undefined}>
        <Icon name="play" />
        {busy ? "Evaluating…" : "Evaluate"}
      </button>
      {busy ? (
        <button type="button" class="quiet" onClick={onCancel}>
          Cancel
        </button>
      ) : null}
      <span class="keys">
        <kbd>{isApple() ? "⌘" : "Ctrl"}</kbd> <kbd>Enter</kbd>
      </span>
      {mistake === undefined ? null : <span class="field-error">{mistake}</span>}
    </div>
  );
}

function Glance({ reply, onShow }: { readonly reply: Reply; readonly onShow: () => void }) {
  const { rule, title, reason } = verdictOf(reply);
  return (
    <button type="button" class="glance" onClick={onShow}>
      <strong>{rule ?? title}</strong>
      {reason === undefined ? null : <span>{reason}</span>}
    </button>
  );
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}

/** Moves the focus to the first place with an error, if there is one. */
export function focusWrong(form: HTMLElement | null): boolean {
  const wrong = form?.querySelector<HTMLElement>("[aria-invalid=true], .group.wrong");
  wrong?.focus();
  return wrong !== null && wrong !== undefined;
}

/** Whether the start of an element is not on screen, or so low that little of it is. */
export function isOutOfSight(element: HTMLElement | null): boolean {
  const top = element?.getBoundingClientRect().top ?? 0;
  return top < 0 || top > innerHeight * 0.75;
}
