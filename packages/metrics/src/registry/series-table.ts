import type { MetricLabels } from "@decern/core";
import { checkLabelName, OVERFLOW_LABEL_VALUE, refusal, toWellFormed } from "./names.js";

/** Labels as a list, in the order of their path. */
type LabelEntries = readonly (readonly [name: string, value: string])[];

interface Branch<Leaf> {
  readonly name: string;
  readonly byValue: Map<string, Node<Leaf>>;
}

interface Node<Leaf> {
  leaf: Leaf | undefined;
  /** One for each possible next label name. Nearly always there is only one. */
  readonly branches: Branch<Leaf>[];
}

/**
 * Finds entries by labels, one step per label. With 60 series of three labels, an increment takes 0.14 µs; a `Map` by text needs
 * 1.1 to 2.0 µs, which is more than an evaluation. With 5,000 series, it is 0.7 against 0.9 to 3.6 µs.
 */
class LabelTree<Leaf> {
  readonly #root: Node<Leaf> = { leaf: undefined, branches: [] };

  /** Looks up labels in the given order. An empty value means no label. */
  get(labels: Readonly<Record<string, string>>): Leaf | undefined {
    let node: Node<Leaf> | undefined = this.#root;
    for (const name of Object.keys(labels)) {
      const value = labels[name];
      if (value === "") continue;
      node = value === undefined ? undefined : branchOf(node, name)?.byValue.get(value);
      if (node === undefined) return undefined;
    }
    return node.leaf;
  }

  getPath(path: LabelEntries): Leaf | undefined {
    let node: Node<Leaf> | undefined = this.#root;
    for (const [name, value] of path) {
      node = branchOf(node, name)?.byValue.get(value);
      if (node === undefined) return undefined;
    }
    return node.leaf;
  }

  set(path: LabelEntries, leaf: Leaf): void {
    let node = this.#root;
    for (const [name, value] of path) {
      let branch = branchOf(node, name);
      if (branch === undefined) {
        branch = { name, byValue: new Map() };
        node.branches.push(branch);
      }
      let next = branch.byValue.get(value);
      if (next === undefined) {
        next = { leaf: undefined, branches: [] };
        branch.byValue.set(value, next);
      }
      node = next;
    }
    node.leaf = leaf;
  }
}

function branchOf<Leaf>(node: Node<Leaf>, name: string): Branch<Leaf> | undefined {
  const { branches } = node;
  for (let index = 0; index < branches.length; index += 1) {
    const branch = branches[index];
    if (branch?.name === name) return branch;
  }
  return undefined;
}

/** Renders labels as both text formats write them between braces. */
export function labelText(labels: readonly (readonly [name: string, value: string])[]): string {
  return labels.map(([name, value]) => `${name}="${escapeLabelValue(value)}"`).join(",");
}

/** The one place where label values are escaped. */
function escapeLabelValue(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

export interface SeriesTableOptions<Series> {
  readonly metric: string;
  readonly maxSeries: number;
  /** @param labels - as written between braces */
  readonly create: (labels: string) => Series;
  /** Called when the limit is reached for the first time. */
  readonly onOverflow: (metric: string) => void;
}

/**
 * The series of one metric. As in Prometheus, the order of labels does not matter, and an empty value means no label.
 */
export class SeriesTable<Series> {
  readonly #options: SeriesTableOptions<Series>;
  readonly #series: Series[] = [];
  /** Each series under its labels in order of name, and in every other order used so far. */
  #tree = new LabelTree<Series>();
  #overflow: Series | undefined;

  constructor(options: SeriesTableOptions<Series>) {
    this.#options = options;
  }

  values(): Iterable<Series> {
    return this.#series;
  }

  get size(): number {
    return this.#series.length;
  }

  /** Forgets every series. */
  clear(): void {
    this.#series.length = 0;
    this.#tree = new LabelTree();
    this.#overflow = undefined;
  }

  /** Finds a series without creating it. */
  find(labels: MetricLabels): Series | undefined {
    checkLabels(this.#options.metric, labels);
    return this.#tree.get(labels) ?? this.#tree.getPath(inOrder(this.#checked(labels)));
  }

  /** Finds or creates the series of `labels`. Returns the overflow series when there are too many. */
  resolve(labels: MetricLabels): Series {
    checkLabels(this.#options.metric, labels);
    return this.#tree.get(labels) ?? this.#add(this.#checked(labels));
  }

  #add(entries: LabelEntries): Series {
    const path = inOrder(entries);
    let series = this.#tree.getPath(path);
    if (series === undefined) {
      if (this.#series.length >= this.#options.maxSeries) return this.#overflow ?? this.#startOverflow(path);
      series = this.#create(entries);
      this.#tree.set(path, series);
    }
    const asGiven = entries.filter(([, value]) => value !== "");
    this.#tree.set(asGiven, series);
    return series;
  }

  #startOverflow(path: LabelEntries): Series {
    this.#options.onOverflow(this.#options.metric);
    const names = path.length === 0 ? ["overflow"] : path.map(([name]) => name);
    const folded = names.map((name) => [name, OVERFLOW_LABEL_VALUE] as const);
    this.#overflow = this.#tree.getPath(folded) ?? this.#create(folded);
    this.#tree.set(folded, this.#overflow);
    return this.#overflow;
  }

  #create(entries: LabelEntries): Series {
    const series = this.#options.create(labelText(entries));
    this.#series.push(series);
    return series;
  }

  #checked(labels: MetricLabels): LabelEntries {
    const { metric } = this.#options;
    const entries: (readonly [string, string])[] = [];
    for (const name of Object.keys(labels)) {
      checkLabelName(metric, name);
      const value = labels[name];
      if (typeof value !== "string") {
        throw refusal(`label "${name}" of metric "${metric}" must be a string, not ${typeof value}`);
      }
      entries.push([name, toWellFormed(value)]);
    }
    return entries;
  }
}

/** Otherwise a number, a list or a Map would pass for an object without labels. */
function checkLabels(metric: string, labels: unknown): void {
  if (typeof labels === "object" && labels !== null && !(Symbol.iterator in labels)) return;
  throw refusal(`labels of metric "${metric}" must be an object of strings`);
}

/** The labels that are not empty, in order of name. */
function inOrder(entries: LabelEntries): LabelEntries {
  return entries.filter(([, value]) => value !== "").sort(([a], [b]) => (a < b ? -1 : 1));
}
