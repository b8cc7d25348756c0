import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { resolveSchema } from "../json/schema.js";
import { textOf } from "../json/values.js";
import { Icon, KeyName } from "../parts/controls.js";
import { type FieldProps, FormContext } from "./form-context.js";

interface Described {
  readonly id: string;
  readonly hint: string | undefined;
  readonly description: string | undefined;
  readonly messages: readonly string[];
}

interface FieldFrameProps {
  readonly id: string;
  readonly label: string;
  /** The property's name, if it differs from the label. */
  readonly name?: string | undefined;
  readonly required: boolean;
  readonly hint?: string | undefined;
  readonly description?: string | undefined;
  readonly messages: readonly string[];
  readonly onRemove?: (() => void) | undefined;
  readonly onReset?: (() => void) | undefined;
  /** Whether half a row is enough. */
  readonly short?: boolean;
  readonly children: ComponentChildren;
}

/** Label, description, control and errors of one value. */
export function FieldFrame(props: FieldFrameProps) {
  const { id, label, name, required, hint, description, messages, onRemove, onReset, children } = props;
  const { short = false } = props;
  return (
    <div class={`field${messages.length > 0 ? " wrong" : ""}${short ? " short" : ""}`}>
      <div class="field-head">
        <label for={id}>{label}</label>
        <KeyName label={label} name={name} />
        {required ? null : <span class="tag">optional</span>}
        {onReset === undefined ? null : (
          <>
            <span class="tag must">changed</span>
            <button type="button" class="quiet reset" aria-label={`Reset ${label}`} onClick={onReset}>
              Reset
            </button>
          </>
        )}
        {hint === undefined ? null : (
          <span class="field-hint" id={`${id}:hint`}>
            {hint}
          </span>
        )}
        {onRemove === undefined ? null : <RemoveButton label={label} onRemove={onRemove} />}
      </div>
      {children}
      {description === undefined ? null : (
        <p class="field-description" id={`${id}:description`}>
          {description}
        </p>
      )}
      <FieldErrors id={id} messages={messages} />
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
    <button type="button" class="quiet square small" aria-label={`Remove ${label}`} onClick={onRemove}>
      <Icon name="close" />
    </button>
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
  readonly children: ComponentChildren;
}

/** Fields that belong together. The outermost group draws no heading, because the editor around it has one. */
export function Group({ schema, path, label, required, id, messages, hint, onRemove, children }: GroupProps) {
  const { root } = useContext(FormContext);
  const description = textOf(resolveSchema(schema, root), "description");
  if (path.length === 0) {
    return (
      <div class="fields" id={id} tabIndex={-1}>
        <FieldErrors id={id} messages={messages} />
        {children}
      </div>
    );
  }
  const last = path.at(-1);
  return (
    <fieldset class={messages.length > 0 ? "group wrong" : "group"} id={id} tabIndex={-1}>
      <legend class="hidden">{label}</legend>
      <div class="field-head">
        <span class="group-label" aria-hidden="true">
          {label}
        </span>
        <KeyName label={label} name={typeof last === "string" ? last : undefined} />
        {required ? null : <span class="tag">optional</span>}
        {hint === undefined ? null : <span class="field-hint">{hint}</span>}
        {onRemove === undefined ? null : <RemoveButton label={label} onRemove={onRemove} />}
      </div>
      {description === undefined ? null : <p class="field-description">{description}</p>}
      <FieldErrors id={id} messages={messages} />
      <div class="fields">{children}</div>
    </fieldset>
  );
}
