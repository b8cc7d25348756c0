import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { resolveSchema } from "../json/schema.js";
import { textOf } from "../json/values.js";
import { Prose } from "../parts/code.js";
import { Icon, KeyName, QuietButton } from "../parts/controls.js";
import { type FieldProps, FormContext } from "./form-context.js";

interface Described {
  readonly id: string;
  readonly hint: string | undefined;
  readonly description: string | undefined;
  readonly messages: readonly string[];
}

interface FieldFrameProps extends Pick<FieldProps, "path" | "label" | "required" | "onRemove" | "onReset"> {
  readonly id: string;
  readonly hint?: string | undefined;
  readonly description?: string | undefined;
  readonly messages: readonly string[];
  /** Whether half a row is enough. */
  readonly short?: boolean;
  /** What could be meant by a text that isn't a value, and what takes it over. */
  readonly suggestion?: { readonly text: string; readonly use: () => void } | undefined;
  readonly children: ComponentChildren;
}

/** Label, control, description, bounds and errors of one value. */
export function FieldFrame(props: FieldFrameProps) {
  const { id, label, path, required, hint, description, messages, suggestion, onRemove, onReset } = props;
  const last = path.at(-1);
  return (
    <div class={`field${messages.length > 0 ? " wrong" : ""}${props.short === true ? " short" : ""}`}>
      <div class="field-head">
        <label for={id}>{label}</label>
        <KeyName label={label} name={typeof last === "string" ? last : undefined} />
        {required ? null : <span class="tag">optional</span>}
        {onReset === undefined ? null : (
          <>
            <span class="tag must">changed</span>
            <QuietButton class="reset" aria-label={`Reset ${label}`} onClick={onReset}>
              Reset
            </QuietButton>
          </>
        )}
        {onRemove === undefined ? null : <RemoveButton label={label} onRemove={onRemove} />}
      </div>
      {props.children}
      {description === undefined && hint === undefined ? null : (
        <p class="field-description">
          {description === undefined ? null : (
            <span id={`${id}:description`}>
              <Prose text={description} />
            </span>
          )}
          {description === undefined || hint === undefined ? null : " · "}
          {hint === undefined ? null : (
            <span class="field-hint" id={`${id}:hint`}>
              {hint}
            </span>
          )}
        </p>
      )}
      <FieldErrors id={id} messages={messages} />
      {suggestion === undefined ? null : (
        <QuietButton class="suggestion" onClick={suggestion.use}>
          Use {suggestion.text}
        </QuietButton>
      )}
    </div>
  );
}

function FieldErrors({ id, messages }: { readonly id: string; readonly messages: readonly string[] }) {
  if (messages.length === 0) return null;
  return (
    <p class="field-error" id={`${id}:error`}>
      <Icon name="warn" />
      <span>{messages.join("; ")}</span>
    </p>
  );
}

function RemoveButton({ label, onRemove }: { readonly label: string; readonly onRemove: () => void }) {
  return (
    <QuietButton class="square small" aria-label={`Remove ${label}`} onClick={onRemove}>
      <Icon name="close" />
    </QuietButton>
  );
}

/** Connects a control to its hint, description and errors for screen readers. */
export function described({ id, hint, description, messages }: Described) {
  const ids = [
    ...(hint === undefined ? [] : [`${id}:hint`]),
    ...(description === undefined ? [] : [`${id}:description`]),
    ...(messages.length === 0 ? [] : [`${id}:error`]),
  ];
  return {
    "aria-describedby": ids.length === 0 ? undefined : ids.join(" "),
    "aria-invalid": messages.length > 0,
  };
}

interface GroupProps extends FieldProps {
  readonly id: string;
  readonly messages: readonly string[];
  readonly hint?: string | undefined;
  /** Whether the fields are items that are all alike. */
  readonly isList?: boolean;
  readonly children: ComponentChildren;
}

/** Fields that belong together. The outermost group draws no heading, because the editor around it has one. */
export function Group(props: GroupProps) {
  const { schema, path, label, required, plain, id, messages, hint, isList, onRemove, children } = props;
  const { root } = useContext(FormContext);
  const description = textOf(resolveSchema(schema, root), "description");
  if (path.length === 0 || plain === true) {
    return (
      <div class="fields" id={id} tabIndex={-1}>
        <FieldErrors id={id} messages={messages} />
        {children}
      </div>
    );
  }
  const last = path.at(-1);
  return (
    <fieldset
      class={`group${messages.length > 0 ? " wrong" : ""}${isList === true ? " items" : ""}`}
      id={id}
      tabIndex={-1}
      aria-describedby={hint === undefined ? undefined : `${id}:hint`}
    >
      <legend class="hidden">{label}</legend>
      <div class="field-head">
        <span class="group-label" aria-hidden="true">
          {label}
        </span>
        <KeyName label={label} name={typeof last === "string" ? last : undefined} />
        {required ? null : <span class="tag">optional</span>}
        {onRemove === undefined ? null : <RemoveButton label={label} onRemove={onRemove} />}
      </div>
      {description === undefined ? null : (
        <p class="field-description">
          <Prose text={description} />
        </p>
      )}
      <FieldErrors id={id} messages={messages} />
      <div class="fields">{children}</div>
      {hint === undefined ? null : (
        <p class="field-description" id={`${id}:hint`}>
          {hint}
        </p>
      )}
    </fieldset>
  );
}
