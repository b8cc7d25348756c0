import { useState } from "preact/hooks";
import { utcTime } from "../model/dates.js";
import { QuietButton } from "../parts/controls.js";
import type { useDraft } from "./use-draft.js";

interface DraftNoticesProps {
  readonly kept: ReturnType<typeof useDraft>;
  /** That is served. */
  readonly version: string;
}

/** Where the draft comes from, what threatens it, and how to be rid of it. */
export function DraftNotices({ kept, version }: DraftNoticesProps) {
  const { savedAt, isOlder, isKept, isElsewhere, edited } = kept;
  return (
    <>
      <p class="policy">
        {savedAt === undefined
          ? `A copy of version ${version}.`
          : `Continued from ${utcTime(savedAt)} UTC, as this browser kept it.`}{" "}
        Callers get the results of the served table until somebody publishes this one.
      </p>
      {isOlder ? (
        <p class="stale" role="status">
          This draft is older than the served table, which has changed since. What the draft does not have
          would be undone.
        </p>
      ) : null}
      {isKept ? null : (
        <p class="stale" role="alert">
          The browser has no room for this draft: download it before you leave the page.
        </p>
      )}
      {isElsewhere ? (
        <div class="stale" role="alert">
          <p>This draft was changed in a different tab. Changes here are no longer kept.</p>
          <p class="draft-choices">
            <QuietButton onClick={kept.takeOther}>Show the draft of the other tab</QuietButton>
            <QuietButton onClick={kept.keepOwn}>Keep this one instead</QuietButton>
          </p>
        </div>
      ) : null}
      <Discard isOn={savedAt !== undefined || edited.canUndo} onDiscard={kept.discard} />
    </>
  );
}

interface DiscardProps {
  readonly isOn: boolean;
  readonly onDiscard: () => void;
}

/** Asks first, because nothing brings a draft back. */
function Discard({ isOn, onDiscard }: DiscardProps) {
  const [asks, setAsks] = useState(false);
  if (!isOn) return null;
  if (!asks)
    return (
      <p class="draft-choices">
        <QuietButton onClick={() => setAsks(true)}>Discard the draft</QuietButton>
      </p>
    );
  return (
    <div
      class="draft-choices"
      role="alertdialog"
      aria-label="Discard the draft"
      aria-describedby="discard-question"
    >
      <span id="discard-question">Discard all changes? This cannot be undone.</span>
      <QuietButton
        onClick={() => {
          setAsks(false);
          onDiscard();
        }}
      >
        Discard
      </QuietButton>
      <button type="button" class="quiet" ref={focusOnce} onClick={() => setAsks(false)}>
        Keep editing
      </button>
    </div>
  );
}

/** What asks gets the keyboard, at what changes nothing. */
function focusOnce(button: HTMLButtonElement | null): void {
  button?.focus();
}
