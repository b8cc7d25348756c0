/** A store took too long. */
class StoreTimeout extends Error {
  override readonly name = "StoreTimeout";
}

/** Settles as a promise does. @throws StoreTimeout (rejects with it) after `timeoutMs` */
export function within<T>(timeoutMs: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new StoreTimeout(`no answer within ${timeoutMs} ms`)), timeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
