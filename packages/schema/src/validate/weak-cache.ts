/** Keeps one value per key, as long as something else refers to that value. */
export class WeakCache<Value extends object> {
  readonly #values = new Map<string, WeakRef<Value>>();
  readonly #collected = new FinalizationRegistry<string>((key) => {
    // A newer value may exist for the key.
    if (this.#values.get(key)?.deref() === undefined) this.#values.delete(key);
  });

  getOrMake(key: string, make: () => Value): Value {
    const known = this.#values.get(key)?.deref();
    if (known !== undefined) return known;
    const value = make();
    this.#values.set(key, new WeakRef(value));
    this.#collected.register(value, key);
    return value;
  }
}
