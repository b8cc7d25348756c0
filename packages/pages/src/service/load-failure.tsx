import type { Failed } from "./use-loaded.js";

/** Why something did not load, and a button that loads it again where that may help. */
export function LoadFailure({ failure: { status, message, retry } }: { readonly failure: Failed }) {
  return (
    <>
      <p role="alert">{message}</p>
      {isPassing(status) ? (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            // The button is about to disappear together with the focus.
            document.getElementById("main")?.focus();
            retry();
          }}
        >
          Try again
        </button>
      ) : null}
    </>
  );
}

/** Whether the same request may succeed later: there was no reply, or the service is busy or broken. */
function isPassing(status: number): boolean {
  return status === 0 || status === 429 || status >= 500;
}
