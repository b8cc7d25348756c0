import { fromSchema } from "@openapi-contrib/openapi-schema-to-json-schema";
import { default as draft04, type ValidateFunction } from "ajv-draft-04";
import { default as addFormats } from "ajv-formats";

type Json = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a document promises about one reply. */
export interface DocumentedAnswer {
  /** By media type, with a validator if the document has a schema. */
  readonly content: ReadonlyMap<string, ValidateFunction>;
}

/**
 * Reads an OpenAPI 3.0 document with an independent converter and validator, and returns what it promises.
 */
export class OpenApiJudge {
  readonly #document: Json;
  readonly #ajv = new draft04.default({ strict: false, allErrors: true, validateFormats: true });
  readonly #schemas: Json;

  constructor(document: Json) {
    this.#document = document;
    addFormats.default(this.#ajv);
    const components = isObject(document["components"]) ? document["components"]["schemas"] : {};
    this.#schemas = Object.fromEntries(
      Object.entries(isObject(components) ? components : {}).map(([name, schema]) => [name, convert(schema)]),
    );
  }

  /** Every operation, as `POST /decisions/x`. */
  operations(): readonly string[] {
    return Object.entries(this.#object("paths")).flatMap(([path, item]) =>
      Object.keys(isObject(item) ? item : {}).map((method) => `${method.toUpperCase()} ${path}`),
    );
  }

  /** The statuses of an operation, such as `200` or `default`. */
  statuses(operation: string): readonly string[] {
    return Object.keys(this.#responses(operation));
  }

  /** The entry of an operation that describes a status: its own, else `default`, which is for refusals (4xx) only. */
  statusFor(operation: string, status: number): string | undefined {
    const refusal = status >= 400 && status <= 499 ? ["default"] : [];
    return [String(status), ...refusal].find((key) => key in this.#responses(operation));
  }

  /** Whether an operation requires no authentication. */
  isOpen(operation: string): boolean {
    const { security = this.#document["security"] } = this.#operation(operation);
    return !Array.isArray(security) || security.length === 0;
  }

  /** What the document promises about a reply, or `undefined` if it does not describe it. */
  answer(operation: string, status: string): DocumentedAnswer | undefined {
    const response = this.#resolve(this.#responses(operation)[status]);
    if (response === undefined) return undefined;
    return { content: this.#content(response["content"]) };
  }

  /** Validates a request body of an operation. */
  requestBody(operation: string): ValidateFunction {
    const body = this.#resolve(this.#operation(operation)["requestBody"]);
    const validator = this.#content(body?.["content"]).get("application/json");
    if (validator === undefined) throw new Error(`${operation} does not accept JSON`);
    return validator;
  }

  #content(content: unknown): ReadonlyMap<string, ValidateFunction> {
    if (!isObject(content)) return new Map();
    return new Map(
      Object.entries(content).map(([type, media]) => {
        const schema = isObject(media) ? convert(media["schema"] ?? {}) : {};
        return [type, this.#ajv.compile({ ...schema, components: { schemas: this.#schemas } })];
      }),
    );
  }

  #operation(operation: string): Json {
    const [method = "", path = ""] = operation.split(" ");
    const item = this.#object("paths")[path];
    const found = isObject(item) ? item[method.toLowerCase()] : undefined;
    if (!isObject(found)) throw new Error(`The document has no ${operation}`);
    return found;
  }

  #responses(operation: string): Json {
    const { responses } = this.#operation(operation);
    return isObject(responses) ? responses : {};
  }

  #object(key: string): Json {
    const value = this.#document[key];
    return isObject(value) ? value : {};
  }

  #resolve(value: unknown): Json | undefined {
    if (!isObject(value)) return undefined;
    const { $ref } = value;
    if (typeof $ref !== "string") return value;
    let target: unknown = this.#document;
    for (const part of $ref.split("/").slice(1)) target = isObject(target) ? target[part] : undefined;
    return this.#resolve(target);
  }
}

function convert(schema: unknown): Json {
  if (!isObject(schema)) throw new Error("A schema is not an object");
  // References are kept, because their targets are converted separately.
  const { $schema: _draft, ...converted } =
    "$ref" in schema ? schema : fromSchema(schema, { cloneSchema: true });
  return converted;
}
