/** A promise that somebody else resolves. */
export class Deferred<Value> {
  readonly promise: Promise<Value>;
  resolve: (value: Value | PromiseLike<Value>) => void = () => {};

  constructor() {
    this.promise = new Promise((resolve) => {
      this.resolve = resolve;
    });
  }
}

/** Values that come one after another. */
export class Arrivals<Value> {
  #coming = new Deferred<Value>();

  /** The next value that is added after this call. */
  get next(): Promise<Value> {
    return this.#coming.promise;
  }

  add(value: Value): void {
    const { resolve } = this.#coming;
    this.#coming = new Deferred();
    resolve(value);
  }
}
