import { compileBoxed, compileFunctionBox, shapeOf } from "../boxed/compile-boxed.js";
import type { BoxedElement, CompiledBox } from "../boxed/element.js";
import { Compiler } from "../feel/compile.js";
import { definedFunction } from "../feel/compile-calls.js";
import { Frame } from "../feel/scope.js";
import type { FunctionBox, Model } from "../model/model.js";
import { Types } from "../model/types.js";
import { ReadingBudget, type Run, type Warning } from "../values/run.js";
import { canonicalName } from "../values/text.js";
import { anyType, coerce, typeText } from "../values/type.js";
import type { FeelValue, Type } from "../values/value.js";
import { addInputs, type Dialect, type NamesInUse } from "./camunda.js";
import { type FrameOf, State, scopeOf } from "./element-scope.js";
import { type Linked, link, type ModelProblem, type ModelWarning, problemOf } from "./link.js";

const mostWarnings = 100;

type Compute = (state: State, run: Run) => FeelValue;

/** Models, compiled. */
export class ModelProgram {
  readonly elements: readonly Linked[];
  readonly problems: readonly ModelProblem[];
  readonly types: Types;
  readonly #warnings: ModelWarning[] = [];
  readonly #budget = new ReadingBudget();
  /** By slot. */
  readonly #computes: Compute[] = [];
  /** By slot: what services come to in a state that has what they take. */
  readonly #services: Compute[] = [];
  readonly #variables = new Map<Linked, Type>();
  readonly #find: (reference: string) => Linked | undefined;

  constructor(models: readonly Model[], dialect: Dialect = "dmn") {
    const { elements, find, problems } = link(models);
    const found = [...problems];
    this.elements = elements;
    this.#find = find;
    const byNamespace = new Map(models.map((model) => [model.namespace, model]));
    this.types = new Types(byNamespace, this.#broken.bind(this), dialect === "camunda");
    if (dialect === "camunda" && problems.length === 0)
      addInputs(elements, (linked) => this.#namesIn(linked));
    for (const each of elements) {
      try {
        this.#variables.set(each, this.#typeOf(each));
      } catch (error) {
        found.push(problemOf(each, error));
      }
    }
    for (const each of found.length > 0 ? [] : elements) {
      try {
        this.#computes[each.slot] = this.#compile(each);
      } catch (error) {
        found.push(problemOf(each, error));
      }
    }
    this.problems = found;
  }

  /** The first hundred. */
  get warnings(): readonly ModelWarning[] {
    return this.#warnings;
  }

  /** Before anything is evaluated. */
  newState(): State {
    return new State(this.elements.length);
  }

  /** The type of an element's variable. */
  typeOf(element: Linked): Type {
    return this.#variables.get(element) ?? anyType;
  }

  /** The result of a decision, the value of an input, or a function. @throws LimitError */
  evaluate(element: Linked, state: State, run: Run): FeelValue {
    const known = state.get(element);
    if (known !== undefined) return known;
    const value = this.#computes[element.slot]?.(state, run) ?? null;
    state.set(element, value);
    return value;
  }

  /** The result of a decision, or of a service in a state that has its parameters. @throws LimitError */
  resultOf(element: Linked, state: State, run: Run): FeelValue {
    const service = this.#services[element.slot];
    return service === undefined ? this.evaluate(element, state, run) : service(state, run);
  }

  /** The parameters of a service, in order. */
  parametersOf({ element }: Linked): readonly Linked[] {
    if (element.kind !== "service") return [];
    return [...element.inputData, ...element.inputDecisions].flatMap(
      (reference) => this.#find(reference) ?? [],
    );
  }

  outputsOf({ element }: Linked): readonly Linked[] {
    return element.kind === "service"
      ? element.outputs.flatMap((reference) => this.#find(reference) ?? [])
      : [];
  }

  #typeOf(linked: Linked): Type {
    const { element, model } = linked;
    const type = this.types.resolve(element.variable.typeRef, model, element.line);
    if (type.kind !== "any") return type;
    if (element.kind === "decision") return shapeOf(element.expression, { element: this.#boxed(linked) });
    if (element.kind !== "knowledge") return type;
    const { definition } = element;
    return {
      kind: "function",
      parameters: [],
      result: shapeOf(definition?.body, { element: this.#boxed(linked) }),
    };
  }

  /** The names in an element's expressions. */
  #namesIn(linked: Linked): NamesInUse {
    const { element } = linked;
    const [free, known] = [new Set<string>(), new Set<string>()];
    if (element.kind !== "decision" || element.expression === undefined) return { free, known };
    const named = (name: string, isKnown: boolean) => (isKnown ? known : free).add(name);
    const compiler = new Compiler(element.name, { budget: this.#budget, named });
    const typeOf = () => anyType;
    const { scope } = scopeOf({ ...linked, aliases: [] }, this);
    compileBoxed(element.expression, {
      scope,
      element: { name: element.name, compiler, typeOf },
      path: element.name,
    });
    return { free, known };
  }

  #broken(
    place: Pick<ModelWarning, "file" | "line" | "element">,
    { code, message }: Warning,
    expression: string,
  ): void {
    if (this.#warnings.length < mostWarnings) this.#warnings.push({ ...place, code, message, expression });
  }

  #boxed({ element, model }: Linked): BoxedElement {
    return {
      name: element.name,
      compiler: new Compiler(element.name, {
        types: (name) => this.types.find(name, model),
        budget: this.#budget,
        broken: (warning, expression) =>
          this.#broken({ file: model.file, line: element.line, element: element.name }, warning, expression),
      }),
      typeOf: (typeRef, line) => this.types.resolve(typeRef, model, line),
    };
  }

  #compile(linked: Linked): Compute {
    const { element } = linked;
    switch (element.kind) {
      case "input":
        return () => null;
      case "decision": {
        if (element.expression === undefined) return () => null;
        const { frameOf, scope } = scopeOf(linked, this);
        const boxed = compileBoxed(element.expression, {
          scope,
          element: this.#boxed(linked),
          path: element.name,
        });
        return this.#decision(linked, boxed, frameOf);
      }
      case "knowledge":
        return this.#knowledge(linked, element.definition);
      case "service":
        return this.#service(linked);
    }
  }

  /** The type that calls of a business knowledge model or a service return. */
  #resultOf({ element, model }: Linked): Type {
    const type = this.types.resolve(element.variable.typeRef, model, element.line);
    return type.kind === "function" ? type.result : type;
  }

  #decision(linked: Linked, { body, height }: CompiledBox, frameOf: FrameOf): Compute {
    const { element, model } = linked;
    const type = this.types.resolve(element.variable.typeRef, model, element.line);
    return (state, run) => {
      run.enter(height + 3);
      const value = body(frameOf(state, run));
      run.leave(height + 3);
      return typedResult(value, type, element.name, run);
    };
  }

  /** A function whose requirements are looked up when it is called: it may require itself. */
  #knowledge(linked: Linked, definition: FunctionBox | undefined): Compute {
    if (definition === undefined) return () => null;
    const { name } = linked.element;
    const { frameOf, scope } = scopeOf(linked, this);
    const boxed = this.#boxed(linked);
    const parts = compileFunctionBox(definition, { scope, element: boxed, path: name });
    if (typeof parts === "string") {
      const broken = boxed.compiler.always("NOT_SUPPORTED", parts, { element: name, offset: 0 });
      return (_state, run) => broken(new Frame(undefined, [], run));
    }
    const result = this.#resultOf(linked);
    return (state) =>
      definedFunction({
        ...parts,
        name,
        result,
        body: (args, run) => parts.body(new Frame(frameOf(state, run), args, run)),
      });
  }

  #service(linked: Linked): Compute {
    const { name } = linked.element;
    const inputs = this.parametersOf(linked);
    const outputs = this.outputsOf(linked);
    const parameters = inputs.map((input) => ({
      name: canonicalName(input.element.name),
      type: this.typeOf(input),
    }));
    const result = this.#resultOf(linked);
    const serve: Compute = (state, run) => {
      const values = outputs.map((output) => this.evaluate(output, state, run));
      if (outputs.length === 1) return values[0] ?? null;
      return new Map(outputs.map((output, index) => [output.element.variable.name, values[index] ?? null]));
    };
    this.#services[linked.slot] = (state, run) => typedResult(serve(state, run), result, name, run);
    return () =>
      definedFunction({
        name,
        parameters,
        result,
        height: 4,
        body: (args, run) => {
          const state = this.newState();
          for (const [index, input] of inputs.entries()) state.set(input, args[index] ?? null);
          return serve(state, run);
        },
      });
  }
}

function typedResult(value: FeelValue, type: Type, element: string, run: Run): FeelValue {
  const typed = coerce(value, type, run);
  if (typed !== undefined) return typed;
  return run.warn("WRONG_TYPE", `the result is not of type ${typeText(type)}`, { element, offset: 0 });
}
