import type { InputView } from "../definition/decision.js";
import type { Schema } from "../schema/standard-schema.js";
import { settled } from "./validation.js";

/** A schema whose values go through a function once they are valid. */
export function viewedSchema<Value>(schema: Schema<unknown, Value>, view: InputView): Schema<unknown, Value> {
  const props = schema["~standard"];
  return {
    "~standard": {
      ...props,
      validate(value) {
        const result = settled(props.validate(value), props.vendor);
        return result.issues === undefined ? { value: view(result.value) } : result;
      },
    },
  };
}
