/** Labels as a list, in the order of their path. */
export type LabelEntries = readonly (readonly [name: string, value: string])[];

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
 * Finds entries by labels, one step per label. It builds no key from the values, so nothing must be escaped or hashed. That
 * keeps counting cheap, however many series there are.
 */
export class LabelTree<Leaf> {
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
