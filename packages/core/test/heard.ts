import type { ContextEvents, ContextManager } from '../src/index.js';

/** What is said of each event of this name, from now on. */
export function heard<Name extends keyof ContextEvents, Said>(
  manager: ContextManager,
  name: Name,
  say: (event: ContextEvents[Name]) => Said,
): Said[] {
  const all: Said[] = [];
  manager.on(name, (event) => all.push(say(event)));
  return all;
}
