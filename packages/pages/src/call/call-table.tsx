import { useMemo } from "preact/hooks";
import { QuietButton } from "../parts/controls.js";
import { LoadFailure } from "../service/access.js";
import { type PartProps, useDraftCode } from "./table-parts.js";

/** The decision as the table that it is, or a draft of it. It stands above the form, because it is what people come to read. */
export function CallTable(props: PartProps) {
  const { decision, profileMerge, apiKey, records, publishes, state, table } = props;
  const { loaded, setMarked } = table;
  const draft = useDraftCode();
  const { call, reply, updating, stale, start } = state;
  const onTry = (input: unknown) => start({ ...call, input });
  const { isOpen, setOpen } = draft;
  const editor = draft.loaded.state === "ready" ? draft.loaded.value : undefined;
  const edit = useMemo(
    () => (
      <EditButton hasDraft={loaded.state === "ready" && loaded.value?.hasDraft() === true} draft={draft} />
    ),
    [loaded.state, isOpen, draft.loaded.state],
  );
  if (loaded.state === "ready" && loaded.value !== undefined) {
    const { TableSection, content } = loaded.value;
    if (editor !== undefined && isOpen)
      return (
        <editor.DraftSection
          {...{ decision, content, call, profileMerge, apiKey, records, publishes, onTry }}
          examples={state.examples}
          onClose={() => setOpen(false)}
        />
      );
    return (
      <TableSection
        {...{ decision, content, call, reply, profileMerge, onTry }}
        isOld={updating || stale !== undefined}
        onMarked={setMarked}
        recordsKey={records === undefined ? undefined : apiKey}
      >
        {edit}
      </TableSection>
    );
  }
  return (
    <section class="card table-card" aria-labelledby="table-title">
      <h2 id="table-title">Decision table</h2>
      {loaded.state === "failed" ? (
        <LoadFailure failure={loaded} />
      ) : (
        <p role="status" class="table-wait" style={{ "--rows": decision.ruleIds.length }}>
          Loading the table…
        </p>
      )}
    </section>
  );
}

interface EditButtonProps {
  readonly hasDraft: boolean;
  readonly draft: ReturnType<typeof useDraftCode>;
}

/** Begins or continues a draft. A phone is too narrow for that. */
function EditButton({ hasDraft, draft: { isOpen, setOpen, loaded } }: EditButtonProps) {
  return (
    <span class="edit-button">
      <QuietButton onClick={() => setOpen(true)}>
        {hasDraft ? "Continue your draft" : "Edit a copy"}
      </QuietButton>
      {isOpen && loaded.state === "failed" ? <span role="alert">{loaded.message}</span> : null}
    </span>
  );
}
