/** One document of DMN. */
export interface Model {
  readonly file: string;
  readonly name: string;
  readonly namespace: string;
  readonly imports: readonly Import[];
  readonly itemDefinitions: readonly ItemDefinition[];
  readonly elements: readonly ModelElement[];
}

interface Import {
  readonly name: string;
  readonly namespace: string;
}

export interface ItemDefinition {
  readonly name: string;
  readonly typeRef: string | undefined;
  readonly isCollection: boolean;
  /** Unary tests. */
  readonly allowedValues: string | undefined;
  readonly typeConstraint: string | undefined;
  readonly components: readonly ItemDefinition[];
  readonly functionItem:
    | { readonly parameters: readonly TypedName[]; readonly result: string | undefined }
    | undefined;
  readonly line: number;
}

export interface TypedName {
  readonly name: string;
  readonly typeRef: string | undefined;
}

interface ElementParts {
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  /** Its variable: what other elements call it, and its type. */
  readonly variable: TypedName;
  /** The elements that it requires, as `namespace#id`. */
  readonly requires: readonly string[];
  readonly line: number;
}

export type ModelElement =
  | (ElementParts & { readonly kind: "input" })
  | (ElementParts & { readonly kind: "decision"; readonly expression: Boxed | undefined })
  | (ElementParts & { readonly kind: "knowledge"; readonly definition: FunctionBox | undefined })
  | (ElementParts & {
      readonly kind: "service";
      /** As `namespace#id`. */
      readonly outputs: readonly string[];
      readonly inputData: readonly string[];
      readonly inputDecisions: readonly string[];
    });

interface BoxParts {
  readonly typeRef: string | undefined;
  readonly line: number;
}

export interface FunctionBox extends BoxParts {
  readonly kind: "function";
  /** `FEEL`, or what is not supported. */
  readonly language: string;
  readonly parameters: readonly TypedName[];
  readonly body: Boxed | undefined;
}

export interface TableBox extends BoxParts {
  readonly kind: "table";
  readonly hitPolicy: HitPolicy;
  readonly aggregation: Aggregation | undefined;
  readonly inputs: readonly {
    readonly expression: string;
    readonly typeRef: string | undefined;
    readonly allowed: string | undefined;
  }[];
  readonly outputs: readonly {
    readonly name: string;
    readonly typeRef: string | undefined;
    /** Unary tests; their order is that of priorities. */
    readonly allowed: string | undefined;
    readonly otherwise: string | undefined;
  }[];
  readonly rules: readonly {
    readonly description: string | undefined;
    readonly inputs: readonly string[];
    readonly outputs: readonly string[];
  }[];
}

/** A boxed expression. */
export type Boxed =
  | (BoxParts & { readonly kind: "literal"; readonly text: string })
  | (BoxParts & {
      readonly kind: "context";
      /** An entry without a name is the result. */
      readonly entries: readonly { readonly variable: TypedName | undefined; readonly value: Boxed }[];
    })
  | (BoxParts & {
      readonly kind: "relation";
      readonly columns: readonly TypedName[];
      readonly rows: readonly (readonly Boxed[])[];
    })
  | (BoxParts & { readonly kind: "list"; readonly items: readonly Boxed[] })
  | (BoxParts & {
      readonly kind: "invocation";
      readonly callee: Boxed;
      readonly bindings: readonly { readonly parameter: TypedName; readonly value: Boxed }[];
    })
  | (BoxParts & {
      readonly kind: "conditional";
      readonly condition: Boxed;
      readonly then: Boxed;
      readonly otherwise: Boxed;
    })
  | (BoxParts & {
      readonly kind: "for" | "some" | "every";
      readonly variable: string;
      readonly in: Boxed;
      readonly body: Boxed;
    })
  | (BoxParts & { readonly kind: "filter"; readonly in: Boxed; readonly match: Boxed })
  | FunctionBox
  | TableBox;

export const hitPolicies = [
  "UNIQUE",
  "FIRST",
  "PRIORITY",
  "ANY",
  "COLLECT",
  "RULE ORDER",
  "OUTPUT ORDER",
] as const;
export type HitPolicy = (typeof hitPolicies)[number];
export const aggregations = ["SUM", "COUNT", "MIN", "MAX"] as const;
export type Aggregation = (typeof aggregations)[number];

/** A document can't be read as a model. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly line: number;
  /** The name of the element that it is in. */
  readonly element: string | undefined;

  constructor(message: string, line: number, element?: string) {
    super(message);
    this.line = line;
    this.element = element;
  }
}
