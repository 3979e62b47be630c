type Report = (what: string) => void;

/** What a plan may not call, by the object that has it. Not every runtime has all of them. */
const calls: readonly (readonly [owner: object, prefix: string, names: readonly string[]])[] = [
  [Math, 'Math.', ['random']],
  [performance, 'performance.', ['now']],
  [crypto, 'crypto.', ['randomUUID', 'getRandomValues']],
  [console, 'console.', ['debug', 'info', 'log', 'warn', 'error', 'trace']],
  [globalThis, '', ['fetch', 'setTimeout', 'setInterval', 'setImmediate']],
];

function refusing(what: string, report: Report): () => never {
  return () => {
    report(what);
    throw new Error(`A plan may not use ${what}: what it needs is in its context.`);
  };
}

/** A `Date` that converts the times it is given and knows none of its own. */
function timeless(report: Report): DateConstructor {
  return new Proxy(Date, {
    apply: refusing('Date()', report),
    construct(target, args, newTarget) {
      if (args.length === 0) refusing('new Date()', report)();
      return Reflect.construct(target, args, newTarget) as Date;
    },
    get: (target, key) =>
      key === 'now' ? refusing('Date.now', report) : (Reflect.get(target, key) as unknown),
  });
}

/** What tasks that run at this moment have replaced. */
let replaced: { readonly by: number; readonly restore: () => void } | undefined;

/**
 * Runs a task while clock, dice, timers, network and console report their use and throw. Everything is put back afterwards: when the promise
 * is settled that the task returns, otherwise at once.
 */
export function withoutOutside<T>(task: () => T, report: Report): T {
  const restore = replaceOutside(report);
  let result: T;
  try {
    result = task();
  } catch (error) {
    restore();
    throw error;
  }
  if (result instanceof Promise) return result.finally(restore) as T;
  restore();
  return result;
}

/** Returns a function that puts everything back. Of tasks that overlap, the first replaces and the last puts back. */
function replaceOutside(report: Report): () => void {
  const { by, restore } = replaced ?? { by: 0, restore: replaceAll(report) };
  replaced = { by: by + 1, restore };
  return () => {
    const left = (replaced?.by ?? 1) - 1;
    replaced = left === 0 ? undefined : { by: left, restore };
    if (left === 0) restore();
  };
}

function replaceAll(report: Report): () => void {
  const undo: (() => void)[] = [];
  const replace = (owner: object, name: string, value: unknown) => {
    const before = Object.getOwnPropertyDescriptor(owner, name);
    Object.defineProperty(owner, name, { value, configurable: true, writable: true });
    undo.push(() => {
      if (before === undefined) Reflect.deleteProperty(owner, name);
      else Object.defineProperty(owner, name, before);
    });
  };
  replace(globalThis, 'Date', timeless(report));
  for (const [owner, prefix, names] of calls) {
    for (const name of names) if (name in owner) replace(owner, name, refusing(prefix + name, report));
  }
  return () => {
    for (const one of undo.reverse()) one();
  };
}
