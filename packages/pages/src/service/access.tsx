import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../parts/controls.js";
import { type Failed, type Loaded, useLoaded } from "./api.js";

/** The API key in use, and the first data that was loaded with it. */
interface Access<T> {
  readonly key: string;
  readonly loaded: Loaded<T>;
  /** Whether the service admits no caller without a valid key. */
  readonly unauthenticated: boolean;
  /** Whether it refused this key. */
  readonly refused: boolean;
  giveKey(key: string): void;
}

/** Loads a page's first data, and again when the user gives another key. */
export function useAccess<T>(load: (key: string) => Promise<T>): Access<T> {
  // In memory only: the key is never stored and never part of a link.
  const [key, setKey] = useState("");
  const loaded = useLoaded(() => load(key), key);
  const unauthenticated = loaded.state === "failed" && isRefusal(loaded.status);
  const refused = unauthenticated && key !== "";
  // Once the data is there, the form for the key or the button that loads again disappears together with the focus.
  // Put the focus on the page.
  const { state } = loaded;
  const failedBefore = useRef(false);
  useEffect(() => {
    if (state === "failed") failedBefore.current = true;
    if (state === "ready" && (key !== "" || failedBefore.current)) document.getElementById("main")?.focus();
  }, [state, key]);
  return {
    key,
    loaded,
    unauthenticated,
    refused,
    // The same key may be tried again, because the service may accept it by now.
    giveKey: (next) => {
      if (loaded.state === "failed" && next === key) loaded.retry();
      else setKey(next);
    },
  };
}

function isRefusal(status: number): boolean {
  return status === 401 || status === 403;
}

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

interface KeyGateProps {
  readonly value: string;
  /** Whether the service has refused that key. */
  readonly refused: boolean;
  readonly onUse: (key: string) => void;
}

/** The form for the API key. The key stays in memory and is sent only in the `x-api-key` header. */
export function KeyGate({ value, refused, onUse }: KeyGateProps) {
  const [text, setText] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  const wrong = refused && text.trim() === value;
  // The error page replaces the form, so put the focus back on the key.
  useEffect(() => {
    if (refused) input.current?.focus();
  }, [refused]);
  return (
    <form
      class="key-gate"
      onSubmit={(event) => {
        event.preventDefault();
        onUse(text.trim());
      }}
    >
      <label>
        <Icon name="key" />
        <span class="hidden">API key</span>
        <input
          ref={input}
          type="password"
          autocomplete="off"
          spellcheck={false}
          placeholder="API key"
          aria-invalid={wrong}
          aria-describedby={wrong ? "failure" : undefined}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="quiet">
        {value !== "" && !refused && value === text.trim() ? "In use" : "Use key"}
      </button>
    </form>
  );
}

interface AccessNoticeProps {
  readonly access: Access<unknown>;
  readonly failure: Failed;
  /** What could not be loaded. */
  readonly what: string;
}

/** Takes the place of the page when its first data did not load, and asks for the key where that is the reason. */
export function AccessNotice({ access, failure, what }: AccessNoticeProps) {
  const { key, unauthenticated, refused, giveKey } = access;
  return (
    <main class="notice" id="main" tabIndex={-1}>
      <h1>{titleOf(access, what)}</h1>
      {refused ? (
        <p role="alert" id="failure">
          {`The service refused this key (${failure.message}). Check the key and try again.`}
        </p>
      ) : (
        <LoadFailure failure={failure} />
      )}
      {unauthenticated ? <KeyGate value={key} refused={refused} onUse={giveKey} /> : null}
    </main>
  );
}

function titleOf({ unauthenticated, refused }: Access<unknown>, what: string): string {
  if (refused) return "The API key was refused";
  return unauthenticated ? "This service requires an API key" : `Couldn't load ${what}`;
}
