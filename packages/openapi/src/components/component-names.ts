/**
 * Hands out unique names. Upper and lower case count as equal, because generators write one file per name and some file
 * systems ignore case.
 */
export class ComponentNames {
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();

  /**
   * Claims a name. Appends a number if the name is taken.
   *
   * @param suffixes - suffixes that the name will get; the name must be free with each of them
   */
  claim(wanted: string, suffixes: readonly string[] = [""]): string {
    const key = [wanted.toLowerCase(), ...suffixes].join();
    let number = this.#next.get(key) ?? 1;
    let name = number === 1 ? wanted : `${wanted}${number}`;
    while (suffixes.some((suffix) => this.#taken.has((name + suffix).toLowerCase()))) {
      number += 1;
      name = `${wanted}${number}`;
    }
    this.#next.set(key, number + 1);
    for (const suffix of suffixes) this.#taken.add((name + suffix).toLowerCase());
    return name;
  }
}

/** Turns any text into a type name: `loan-approval` is `LoanApproval`, `2fa` is `Decision2fa`. */
export function typeName(text: string, fallback: string): string {
  const name = text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
  return /^[A-Z]/.test(name) ? name : fallback + name;
}
