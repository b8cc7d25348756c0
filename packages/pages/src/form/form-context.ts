import { type ComponentType, createContext } from "preact";
import { useContext } from "preact/hooks";
import { type JsonObject, type Path, toPointer } from "../json/values.js";
import type { Issue } from "../model/reply.js";

/** The state that the fields of one form share. */
interface FormContextValue {
  /** `input` or `profile`. Keeps the ids of the two forms apart. */
  readonly part: string;
  readonly root: JsonObject;
  /** What the whole value starts from. Undefined where nothing is compared. */
  readonly baseline: unknown;
  readonly issues: readonly Issue[];
  /** Draws a field of any kind. Fields that hold others get it from here, because importing it would be a cycle. */
  readonly Field: ComponentType<FieldProps>;
}

export const FormContext = createContext<FormContextValue>({
  part: "",
  root: {},
  baseline: undefined,
  issues: [],
  Field: () => null,
});

export interface FieldProps {
  readonly schema: JsonObject;
  readonly path: Path;
  readonly label: string;
  readonly required: boolean;
  /** Whether something around it shows its label. */
  readonly plain?: boolean;
  /** Undefined while no value is set. */
  readonly value: unknown;
  /** Like all callbacks of a field, captures no values: a field keeps it until something that it shows changes. */
  readonly onChange: (value: unknown) => void;
  /** Present if the field can be removed. */
  readonly onRemove?: (() => void) | undefined;
  /** Present where the value differs from what it started from, and can be taken back. */
  readonly onReset?: (() => void) | undefined;
}

/** The id of a field's control. Encoded, because a property's name may have characters that an id cannot have. */
export function fieldId(part: string, pointer: string): string {
  return `${part}${pointer.split("/").map(encodeURIComponent).join("/")}`;
}

/** The id of a field, and its errors. With `below`, also the errors of the values in it. */
export function useField(
  path: Path,
  below = false,
): { readonly id: string; readonly messages: readonly string[] } {
  const { part, issues } = useContext(FormContext);
  const pointer = toPointer(path);
  const messages = issues.flatMap(({ path: at, message }) => {
    if (at === pointer) return [message];
    return below && at.startsWith(`${pointer}/`) ? [`${at.slice(pointer.length)} ${message}`] : [];
  });
  return { id: fieldId(part, pointer), messages };
}

/** Moves the focus to a control that the next render adds, so keyboard users keep their place. */
export function focusSoon(id: string): void {
  requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(id)?.focus()));
}
