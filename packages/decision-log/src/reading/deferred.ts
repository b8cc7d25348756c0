/**
 * What is iterated is made when the first item is asked for, and is then read without anything in between: an async generator
 * with `yield*` would wait for each item once more.
 */
export function deferred<T>(make: () => Promise<AsyncIterable<T>>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => new DeferredIterator(make) };
}

class DeferredIterator<T> implements AsyncIterator<T> {
  readonly #make: () => Promise<AsyncIterable<T>>;
  #making: Promise<AsyncIterator<T>> | undefined = undefined;
  #made: AsyncIterator<T> | undefined = undefined;
  #hasEnded = false;

  constructor(make: () => Promise<AsyncIterable<T>>) {
    this.#make = make;
  }

  next(): Promise<IteratorResult<T>> {
    return this.#made === undefined ? this.#first() : this.#made.next();
  }

  async return(): Promise<IteratorResult<T>> {
    this.#hasEnded = true;
    const made = this.#made ?? (await this.#making?.catch(() => undefined));
    await made?.return?.();
    return { done: true, value: undefined };
  }

  async #first(): Promise<IteratorResult<T>> {
    if (this.#hasEnded) return { done: true, value: undefined };
    try {
      this.#making ??= this.#make().then((items) => items[Symbol.asyncIterator]());
      const made = await this.#making;
      this.#made = made;
      return await made.next();
    } catch (error) {
      this.#hasEnded = true;
      throw error;
    }
  }
}
