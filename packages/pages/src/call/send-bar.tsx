import { missingText } from "../answer/outcome.js";
import { isObject } from "../json/values.js";
import { headlineOf, type Reply, verdictOf } from "../model/reply.js";
import { Icon, QuietButton } from "../parts/controls.js";

interface SendBarProps extends Pick<GlanceProps, "meta" | "missing" | "old" | "updating" | "onShow"> {
  readonly reply: Reply | undefined;
  readonly busy: boolean;
  /** Why the call cannot be sent. */
  readonly mistake: string | undefined;
  readonly onCancel: () => void;
}

/** The button that evaluates and, where the result may be out of sight, its headline next to it. */
export function SendBar({ reply, busy, mistake, onCancel, ...glance }: SendBarProps) {
  return (
    <div class="send">
      {/* Its room is there before the reply, so that the button stays where it is. */}
      {reply === undefined ? <span class="glance" /> : <Glance reply={reply} {...glance} />}
      {/* Not `disabled`, because a disabled button loses the keyboard focus. */}
      <button type="submit" class="primary" aria-disabled={busy || mistake !== undefined}>
        <Icon name="play" />
        {busy ? "Evaluating…" : "Evaluate"}
      </button>
      {busy ? <QuietButton onClick={onCancel}>Cancel</QuietButton> : null}
      <span class="keys">
        <kbd>{isApple() ? "⌘" : "Ctrl"}</kbd> <kbd>Enter</kbd>
      </span>
      {mistake === undefined ? null : <span class="field-error">{mistake}</span>}
    </div>
  );
}

interface GlanceProps {
  readonly reply: Reply;
  /** The decision's. */
  readonly meta: unknown;
  /** How many fields are still empty, where that is all that is wrong. */
  readonly missing: number;
  /** Whether the reply is not that of the form. */
  readonly old: boolean;
  /** Whether a newer reply is about to replace it. */
  readonly updating: boolean;
  /** Leads to the whole outcome. */
  readonly onShow: () => void;
}

function Glance({ reply, meta, missing, old, updating, onShow }: GlanceProps) {
  const { rule, title, reason } = verdictOf(reply);
  const answer = headlineOf(meta, isObject(reply.body) ? reply.body["data"] : undefined);
  const second = [
    ...(answer === undefined || rule === undefined ? [] : [rule]),
    ...(reason === undefined ? [] : [reason]),
  ];
  return (
    <button type="button" class={old ? "glance old" : "glance"} onClick={onShow}>
      <strong>{missing > 0 ? missingText(missing) : (answer ?? rule ?? title)}</strong>
      <span>{updating ? "Updating…" : missing > 0 ? "" : second.join(": ")}</span>
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
