import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { textOf } from "../model/json.js";
import { KeyName } from "../parts/key-name.js";
import { resolveSchema } from "../schema/resolve-schema.js";
import { FieldErrors, RemoveButton } from "./field-frame.js";
import { type FieldProps, FormContext } from "./form-context.js";

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
