import { createContext, type FunctionComponent } from "preact";
import { useContext } from "preact/hooks";
import type { JsonObject, Path } from "../model/json.js";
import { toPointer } from "../model/pointer.js";
import type { Issue } from "../model/reply.js";

/** What the fields of one form share. */
export interface FormContextValue {
  /** `input` or `profile`: keeps the ids of both forms apart. */
  readonly part: string;
  readonly root: JsonObject;
  readonly issues: readonly Issue[];
  /** Draws a field of any kind. Fields that hold others get it from here, because importing it would be a cycle. */
  readonly Field: FunctionComponent<FieldProps>;
}

export const FormContext = createContext<FormContextValue>({
  part: "",
  root: {},
  issues: [],
  Field: () => null,
});

export interface FieldProps {
  readonly schema: JsonObject;
  readonly path: Path;
  readonly label: string;
  readonly required: boolean;
  /** Undefined where nothing is set. */
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** Present where the field can be taken away. */
  readonly onRemove?: (() => void) | undefined;
}

/** The id of a field's control; a property may be called anything, an id not. */
export function fieldId(part: string, pointer: string): string {
  return `${part}${pointer.split("/").map(encodeURIComponent).join("/")}`;
}

/** The id of a field, and what is wrong there. `below` takes in what lies deeper. */
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
