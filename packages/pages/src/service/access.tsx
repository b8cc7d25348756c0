import { useEffect, useRef, useState } from "preact/hooks";
import { sessionStore } from "../parts/browser.js";
import { Icon, QuietButton, verbatim } from "../parts/controls.js";
import { type Failed, type KeyNews, keyNews, type Loaded, useLoaded } from "./api.js";

/** The API key in use, and the first data that was loaded with it. */
interface Access<T> {
  readonly key: string;
  readonly loaded: Loaded<T>;
  /** Whether the service admits no caller without a valid key. */
  readonly unauthenticated: boolean;
  /** Whether it has rejected this key, immediately or later. */
  readonly refused: boolean;
  /** Whether the key is valid, but not for what was asked. */
  readonly denied: boolean;
  giveKey(key: string): void;
}

/** Loads a page's first data, and again when the user gives another key. */
export function useAccess<T>(load: (key: string) => Promise<T>): Access<T> {
  const [key, setKey] = useState(keptKey);
  const loaded = useLoaded(() => load(key), key);
  const unauthenticated = loaded.state === "failed" && isRefusal(loaded.status);
  const news = useRefusal();
  const refused = unauthenticated ? key !== "" : news?.key === key;
  // Once the data is there, the form for the key or the button that loads again disappears together with the focus.
  // Put the focus on the page.
  const { state } = loaded;
  const failedBefore = useRef(false);
  useEffect(() => {
    if (state === "failed") failedBefore.current = true;
    if (state === "ready" && failedBefore.current) document.getElementById("main")?.focus();
    if (state === "ready" || unauthenticated)
      sessionStore.write(keyName(), refused || key === "" ? undefined : key);
  }, [state, key, refused]);
  return {
    key,
    loaded,
    unauthenticated,
    refused,
    denied: news?.key === key && news.refused === 403,
    // The same key may be tried again, because the service may accept it by now.
    giveKey: (next) => {
      failedBefore.current = true;
      if (loaded.state === "failed" && next === key) loaded.retry();
      else setKey(next);
    },
  };
}

/** What the service refused last. Undefined once it took that key. */
function useRefusal(): KeyNews | undefined {
  const [refused, setRefused] = useState<KeyNews>();
  useEffect(() => {
    const follow = (event: Event) => {
      if (!(event instanceof CustomEvent)) return;
      const news: KeyNews = event.detail;
      setRefused((before) => {
        if (news.refused !== 0 || before?.key !== news.key) return news.refused === 0 ? before : news;
        // A key that may not look at records is good for everything else.
        return before.refused === 403 && !news.isRecords ? before : undefined;
      });
    };
    addEventListener(keyNews, follow);
    return () => removeEventListener(keyNews, follow);
  }, []);
  return refused;
}

/**
 * Where the key is kept for the service's pages, docs, records and Swagger UI. It is never part of a link. Where the browser
 * keeps nothing, each page asks. Several services may share an origin, each behind its own prefix.
 */
function keyName(): string {
  const { root = "./" } = document.documentElement.dataset;
  return `decern key ${new URL(root, location.href).pathname}`;
}

function keptKey(): string {
  const kept = sessionStore.read(keyName());
  return typeof kept === "string" ? kept : "";
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
        <QuietButton
          onClick={() => {
            // The button is about to disappear together with the focus.
            document.getElementById("main")?.focus();
            retry();
          }}
        >
          Try again
        </QuietButton>
      ) : null}
    </>
  );
}

/** Whether the same request may succeed later: there was no reply, or the service is busy or broken. */
function isPassing(status: number): boolean {
  return status === 0 || status === 429 || status >= 500;
}

interface KeyGateProps {
  readonly access: Pick<Access<unknown>, "key" | "refused" | "giveKey">;
  /** Whether it is what the page is about. */
  readonly focused?: boolean;
}

/** The form for the API key, which is sent only in the `x-api-key` header. */
export function KeyGate({ access: { key, refused, giveKey }, focused = false }: KeyGateProps) {
  const [text, setText] = useState(key);
  const input = useRef<HTMLInputElement>(null);
  const wrong = refused && key !== "" && text.trim() === key;
  useEffect(() => {
    if (focused) input.current?.focus();
  }, [focused, refused]);
  return (
    <form
      class="key-gate"
      onSubmit={(event) => {
        event.preventDefault();
        giveKey(text.trim());
      }}
    >
      <label>
        <Icon name="key" />
        <span class="hidden">API key</span>
        <input
          ref={input}
          type="password"
          {...verbatim}
          placeholder="API key"
          aria-invalid={wrong}
          aria-describedby={wrong ? "failure" : undefined}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="quiet">
        {key !== "" && !refused && key === text.trim() ? "In use" : "Use key"}
      </button>
    </form>
  );
}

/** Says that the key that was good enough for the page is not any more, or that there has to be one now. */
export function KeyNotice({ access }: { readonly access: Access<unknown> }) {
  const { key, loaded, refused, denied } = access;
  if (!refused || denied || loaded.state !== "ready") return null;
  return (
    <p class="stale key-notice" id="failure" role="alert">
      {key === ""
        ? "The service requires an API key now. Type it at the top of the page."
        : "The service does not accept this API key any more. Enter a different key at the top of the page."}
    </p>
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
  const { unauthenticated, refused } = access;
  return (
    <main class="notice" id="main" tabIndex={-1}>
      <h1>{titleOf(access, what)}</h1>
      {unauthenticated && !refused ? (
        <p>
          Ask whoever runs it. The key stays in this tab, for the docs, the records and Swagger UI, until you
          close it.
        </p>
      ) : refused ? (
        <p role="alert" id="failure">
          {`The service refused this key (${failure.message}). Check the key and try again.`}
        </p>
      ) : (
        <LoadFailure failure={failure} />
      )}
      {unauthenticated ? <KeyGate access={access} focused={true} /> : null}
    </main>
  );
}

function titleOf({ unauthenticated, refused }: Access<unknown>, what: string): string {
  if (refused) return "The API key was refused";
  return unauthenticated ? "This service requires an API key" : `Couldn't load ${what}`;
}
