import { wordCounter } from '@ctx/testing';
import { ContextManager, type ManagerOptions } from '../src/index.js';

/** A snapshot as a host stored it. */
export const stored = (manager: ContextManager) =>
  JSON.parse(JSON.stringify(manager.snapshot())) as ReturnType<ContextManager['snapshot']>;

/** A manager made from the stored snapshot of another. */
export const restored = (manager: ContextManager, options: ManagerOptions = {}): ContextManager =>
  ContextManager.restore(stored(manager), { counter: wordCounter, ...options });
