import { useState } from "preact/hooks";
import type { Draft } from "../draft/draft.js";
import { isObject, listOf, messageOf, textOf } from "../json/values.js";
import { QuietButton } from "../parts/controls.js";
import { ApiError, evaluationPath, failureText, load } from "../service/api.js";
import type { DraftClient } from "./draft-client.js";

interface DraftHandoverProps {
  readonly id: string;
  /** The version that the page is about. */
  readonly version: string;
  readonly draft: Draft;
  readonly client: DraftClient | undefined;
  /** The `contentHash` of the table that the draft was made of. */
  readonly basedOn: string;
  /** Why the draft cannot be published, in a sentence. */
  readonly hindrance: string | undefined;
  /** Whether the host takes drafts. */
  readonly publishes: boolean;
  readonly apiKey: string;
}

/** What became of an attempt to publish. */
type Handed =
  | { readonly state: "sending" }
  | { readonly state: "done"; readonly message: string; readonly url: string | undefined }
  | { readonly state: "failed"; readonly message: string; readonly problems: readonly string[] };

/** Downloads a draft, or hands it to the host. */
export function DraftHandover(props: DraftHandoverProps) {
  const { publishes, hindrance } = props;
  const { failure, save } = useDownload(props);
  const [handed, setHanded] = useState<Handed>();
  const publish = async () => {
    setHanded({ state: "sending" });
    try {
      setHanded(await handOver(props));
    } catch (error) {
      setHanded({ state: "failed", ...refusalOf(error) });
    }
  };
  return (
    <section class="draft-part" aria-labelledby="draft-handover-title">
      <h3 id="draft-handover-title">{publishes ? "Download or publish" : "Download"}</h3>
      <p class="draft-choices">
        {(["json", "csv", "xlsx"] as const).map((form) => (
          <QuietButton key={form} onClick={() => void save(form)}>
            {form.toUpperCase()}
          </QuietButton>
        ))}
        {publishes ? (
          <PublishButton
            hindrance={hindrance}
            isSending={handed?.state === "sending"}
            onPublish={() => void publish()}
          />
        ) : null}
      </p>
      {failure === undefined ? null : <p role="alert">The file could not be written: {failure}</p>}
      <Published handed={handed} />
    </section>
  );
}

function useDownload({ draft, client }: DraftHandoverProps) {
  const [failure, setFailure] = useState<string>();
  const save = async (form: "json" | "csv" | "xlsx") => {
    setFailure(undefined);
    try {
      const document = await client?.ask(draft, "document", undefined);
      if (document === undefined) return;
      const { saveDraft } = await import("./draft-files.js");
      saveDraft(document, form);
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  return { failure, save };
}

interface PublishButtonProps extends Pick<DraftHandoverProps, "hindrance"> {
  readonly isSending: boolean;
  readonly onPublish: () => void;
}

function PublishButton({ hindrance, isSending, onPublish }: PublishButtonProps) {
  const isOff = hindrance !== undefined || isSending;
  return (
    <>
      <QuietButton
        class="publish"
        isOff={isOff}
        aria-describedby={hindrance === undefined ? undefined : "draft-hindrance"}
        onClick={onPublish}
      >
        {isSending ? "Publishing…" : "Publish"}
      </QuietButton>
      {hindrance === undefined ? null : (
        <span class="field-description" id="draft-hindrance">
          {hindrance}
        </span>
      )}
    </>
  );
}

/** What came of publishing. */
function Published({ handed }: { readonly handed: Handed | undefined }) {
  const done = handed?.state === "done" ? handed : undefined;
  return (
    <>
      <p role="status" class="draft-published">
        {done?.message}{" "}
        {done?.url === undefined ? null : (
          <a href={done.url} target="_blank" rel="noreferrer">
            {done.url}
          </a>
        )}
      </p>
      {handed?.state === "failed" ? (
        <div class="stale" role="alert">
          <p>Not published: {handed.message}</p>
          {handed.problems.length === 0 ? null : (
            <ul>
              {handed.problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          )}
        </div>
      ) : null}
    </>
  );
}

async function handOver({
  id,
  version,
  draft,
  client,
  basedOn,
  apiKey,
}: DraftHandoverProps): Promise<Handed> {
  const document = await client?.ask(draft, "document", undefined);
  const url = `docs/${evaluationPath({ id, version })}/publish`;
  const told = await load<unknown>(url, apiKey, { document, basedOn });
  const said = isObject(told) ? told : {};
  const message = textOf(said, "message") ?? "The service has taken the draft.";
  return { state: "done", message, url: textOf(said, "url") };
}

const mostProblems = 5;

function refusalOf(error: unknown) {
  const body = error instanceof ApiError ? error.body : undefined;
  const problems = (isObject(body) ? (listOf(body, "problems") ?? []) : []).flatMap((problem) =>
    isObject(problem) ? [`${textOf(problem, "path") ?? ""} ${textOf(problem, "message") ?? ""}`.trim()] : [],
  );
  const message =
    error instanceof ApiError && error.status === 403 ? "this key may not publish" : failureText(error);
  return { message, problems: problems.slice(0, mostProblems) };
}
