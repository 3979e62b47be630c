const asyncHooks = require('node:async_hooks');

const { AsyncLocalStorage } = asyncHooks;

/**
 * What jest needs of an AsyncLocalStorage, which notes the test or hook that runs: one after the other, as no test here is concurrent.
 * Up to Node 22 a real one slows down every promise.
 */
class OneAfterTheOther {
  #store;

  getStore() {
    return this.#store;
  }

  run(store, callback) {
    const before = this.#store;
    const end = () => {
      this.#store = before;
    };
    this.#store = store;
    const result = callback();
    if (typeof result?.then === 'function') result.then(end, end);
    else end();
    return result;
  }
}

/** Those in which a test ran something: each slows down the promises of all later test files of the worker. */
const used = new Set();
for (const name of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function (...args) {
    used.add(this);
    return original.apply(this, args);
  };
}

exports.forJest = () => {
  asyncHooks.AsyncLocalStorage = OneAfterTheOther;
};

exports.forTests = () => {
  asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
};

exports.disableUsed = () => {
  for (const storage of used) storage.disable();
  used.clear();
};
