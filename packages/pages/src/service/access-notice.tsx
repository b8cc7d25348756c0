import { KeyGate } from "./key-gate.js";
import { LoadFailure } from "./load-failure.js";
import type { Access } from "./use-access.js";
import type { Failed } from "./use-loaded.js";

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
