import { DecernError } from "../../packages/core/src/index.js";

/** Part of every message and stack here, so a test notices a leak. */
export const secret = "secret-of-ours";

/** A value whose every access throws another such value. */
function hostileProxy(target: object = {}): object {
  const fail = (): never => {
    throw new Proxy({}, { get: fail, has: fail, getPrototypeOf: fail, ownKeys: fail });
  };
  return new Proxy(target, {
    get: fail,
    has: fail,
    set: fail,
    ownKeys: fail,
    getPrototypeOf: fail,
    getOwnPropertyDescriptor: fail,
    apply: fail,
  });
}

function thenable(then: (resolve: (value: unknown) => void) => void): object {
  const name: string = "then";
  return { [name]: then };
}

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** A value that throws something other than an error when one property is read. */
function unreadable(name: string, base: object = {}): object {
  return Object.defineProperty(base, name, {
    enumerable: true,
    get: () => {
      throw { secret };
    },
  });
}

/** A value that can be read only a number of times. */
function readableOnly(times: number): object {
  let left = times;
  return {
    statusCode: 403,
    get message() {
      left -= 1;
      if (left < 0) throw { secret };
      return "Refused";
    },
  };
}

/** Anything that JavaScript can throw, created on demand. Only the last one refuses a call. */
export const throwables: Readonly<Record<string, () => unknown>> = {
  "an error": () => new Error(secret),
  "a frozen error": () => Object.freeze(new Error(secret)),
  "an error with status 200": () => Object.assign(new Error(secret), { statusCode: 200, status: 200 }),
  "an error with a status that is not a number": () =>
    Object.assign(new Error(secret), { statusCode: { valueOf: () => 403 } }),
  "an error that is its own cause": () => {
    const error = new Error(secret);
    error.cause = error;
    return error;
  },
  undefined: () => undefined,
  null: () => null,
  zero: () => 0,
  NaN: () => Number.NaN,
  "an empty text": () => "",
  "a text": () => secret,
  false: () => false,
  true: () => true,
  "a big integer": () => 1n,
  "a symbol": () => Symbol(secret),
  "a function": () => () => secret,
  "a list": () => [secret],
  "an object": () => ({ message: secret }),
  "an object with status 200": () => ({ statusCode: 200, message: secret, toJSON: () => secret }),
  "an object without prototype": () => Object.create(null),
  "a thenable": () => thenable((resolve) => resolve(secret)),
  "a thenable that throws": () =>
    thenable(() => {
      throw { secret };
    }),
  "a promise that rejects": () => {
    const promise = Promise.reject(new Error(secret));
    promise.catch(() => {});
    return promise;
  },
  "a proxy that throws": () => hostileProxy(),
  "a proxy of an error that throws": () => hostileProxy(new Error(secret)),
  "a proxy of a function that throws": () => hostileProxy(() => {}),
  "a revoked proxy": revokedProxy,
  "a refusal whose message throws": () => unreadable("message", { statusCode: 403 }),
  "a refusal whose code throws": () => unreadable("code", { statusCode: 403, message: secret }),
  "a refusal that can be read once": () => readableOnly(1),
  "an object whose status throws": () => unreadable("statusCode", { message: secret }),
  "an error whose message throws": () => unreadable("message", new Error(secret)),
  "an error whose stack throws": () => unreadable("stack", new Error(secret)),
  "an error whose cause throws": () => unreadable("cause", new Error(secret)),
  "an object whose then throws": () => unreadable("then"),
  "an object whose other property throws": () => unreadable("other", { message: secret }),
  "a DecernError with an unknown code": () =>
    Object.assign(new DecernError("EVALUATION_FAILED", { detail: secret }), {
      code: "NEWER",
      statusCode: 200,
    }),
  "a DecernError with status 200": () =>
    new DecernError("EVALUATION_FAILED", { detail: secret, statusCode: 200 }),
  "an object that only claims to be a DecernError": () => ({ [Symbol.for("decern.error")]: true }),
};
