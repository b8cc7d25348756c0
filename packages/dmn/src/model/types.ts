import { builtIns } from "../builtins/all.js";
import { Compiler, type CompilerOptions } from "../feel/compile.js";
import { Frame, Scope } from "../feel/scope.js";
import { canonicalName } from "../values/text.js";
import { anyType, builtInType } from "../values/type.js";
import type { FeelValue, Type } from "../values/value.js";
import { type ItemDefinition, type Model, ModelError } from "./model.js";

/** Told of an expression of an item definition that is null whatever the input, and where that is. */
type Broken = (
  place: { readonly file: string; readonly line: number; readonly element: string },
  ...found: Parameters<NonNullable<CompilerOptions["broken"]>>
) => void;

const javaNumbers = new Set(["integer", "long", "double"]);

/** The types that the item definitions of models define. */
export class Types {
  readonly #models: ReadonlyMap<string, Model>;
  readonly #hasJavaTypes: boolean;
  readonly #known = new Map<ItemDefinition, Type>();
  readonly #open = new Set<ItemDefinition>();
  readonly #broken: Broken;
  readonly #scope = Scope.root([], builtIns);

  /**
   * @param models - by namespace
   * @param broken - told of tests that are null whatever the value
   * @param hasJavaTypes - whether types may have the names that Camunda's tables give
   */
  constructor(models: ReadonlyMap<string, Model>, broken: Broken, hasJavaTypes = false) {
    this.#models = models;
    this.#broken = broken;
    this.#hasJavaTypes = hasJavaTypes;
  }

  /**
   * The type that a reference names; any value for none.
   *
   * @throws ModelError for a type that does not exist, or that contains itself
   */
  resolve(typeRef: string | undefined, model: Model, line: number): Type {
    if (typeRef === undefined || typeRef === "") return anyType;
    const type = this.find(typeRef, model);
    if (type === undefined) throw new ModelError(`there is no type ${JSON.stringify(typeRef)}`, line);
    return type;
  }

  /** @returns undefined for a type that does not exist */
  find(typeRef: string, model: Model): Type | undefined {
    const name = canonicalName(typeRef.replace(/^[\w-]+:/, ""));
    const definition = model.itemDefinitions.find((each) => canonicalName(each.name) === name);
    if (definition !== undefined) return this.#typeOf(definition, model);
    if (this.#hasJavaTypes && javaNumbers.has(name)) return { kind: "number" };
    return builtInType(name) ?? this.#imported(name, model);
  }

  #imported(name: string, model: Model): Type | undefined {
    for (const each of model.imports) {
      const imported = this.#models.get(each.namespace);
      const prefix = canonicalName(each.name);
      const isMeant = prefix === "" || name.startsWith(`${prefix}.`);
      if (imported === undefined || imported === model || !isMeant) continue;
      const rest = prefix === "" ? name : name.slice(prefix.length + 1);
      const found = imported.itemDefinitions.find((other) => canonicalName(other.name) === rest);
      if (found !== undefined) return this.#typeOf(found, imported);
    }
    return undefined;
  }

  #typeOf(definition: ItemDefinition, model: Model): Type {
    const known = this.#known.get(definition);
    if (known !== undefined) return known;
    if (this.#open.has(definition))
      throw new ModelError(`the type ${JSON.stringify(definition.name)} contains itself`, definition.line);
    this.#open.add(definition);
    const type = this.#define(definition, model);
    this.#open.delete(definition);
    this.#known.set(definition, type);
    return type;
  }

  #define(definition: ItemDefinition, model: Model): Type {
    const { name, isCollection, allowedValues, typeConstraint, line } = definition;
    const base = this.#baseOf(definition, model);
    const restricted = (of: Type, tests: string | undefined) =>
      this.restricted(of, tests, name, (warning, expression) =>
        this.#broken({ file: model.file, line, element: name }, warning, expression),
      );
    if (!isCollection) return restricted(restricted(base, allowedValues), typeConstraint);
    return restricted({ kind: "list", of: restricted(base, allowedValues) }, typeConstraint);
  }

  #baseOf({ components, functionItem, typeRef, line }: ItemDefinition, model: Model): Type {
    if (functionItem !== undefined)
      return {
        kind: "function",
        parameters: functionItem.parameters.map((parameter) => this.resolve(parameter.typeRef, model, line)),
        result: this.resolve(functionItem.result, model, line),
      };
    if (components.length === 0) return this.resolve(typeRef, model, line);
    return {
      kind: "context",
      entries: new Map(components.map((each) => [each.name, this.#typeOf(each, model)])),
    };
  }

  /** A type with unary tests. @param name - of what has them, for warnings */
  restricted(
    base: Type,
    tests: string | undefined,
    name: string,
    broken: CompilerOptions["broken"] = undefined,
  ): Type {
    if (tests === undefined || tests === "") return base;
    const { test } = new Compiler(name, { broken }).unaryTests(tests, this.#scope);
    const allows = (value: FeelValue, run: Frame["run"]) =>
      test(value, new Frame(undefined, [], run)) === true;
    return { kind: "restricted", base, tests, allows };
  }
}
