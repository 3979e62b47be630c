import type { CompressionStrategy, Config, ManagerOptions, Message, PlanContext } from '@ctx/core';
import { ContextManager, type slicer, type TokenCounter, type Wait } from '@ctx/core';
import { wordCounter } from './words.js';

export interface PlanningOptions {
  /** The target for the messages of the view, in tokens. */
  readonly targetTokens: number;
  /** Default: a window so large that no level is reached. */
  readonly contextWindow?: number;
  readonly minMessagesToKeep?: number;
  readonly config?: Config;
  /** Ms since epoch; default 1,000,000. */
  readonly now?: number;
  readonly container?: ManagerOptions['container'];
  /** Default: `wordCounter`. */
  readonly counter?: TokenCounter;
  readonly strategies?: ManagerOptions['strategies'];
  /** How long work may hold the event loop; default as in core. */
  readonly slices?: NonNullable<Parameters<typeof slicer>[0]>;
  /** Waits for time limits; default as in core. */
  readonly wait?: Wait;
}

/** Tokens: a window so large that nothing but the target decides. */
export const unlimited = 1_000_000_000;

/** The settings of a manager without overhead, in which nothing but the target decides unless something else is said. */
export const configOf = ({ contextWindow = unlimited, minMessagesToKeep = 1, config }: Settings): Config => ({
  contextWindow,
  minMessagesToKeep,
  overhead: { message: 0, conversation: 0 },
  throttleMs: 0,
  ...config,
});

type Settings = Pick<PlanningOptions, 'contextWindow' | 'minMessagesToKeep' | 'config'>;

/** A manager that counts words unless told otherwise, without overhead, and holds these messages. */
export function managerOf(
  messages: readonly Message[],
  options: Omit<PlanningOptions, 'targetTokens'> = {},
): ContextManager {
  const { container, strategies, slices, wait, counter = wordCounter, now = 1_000_000 } = options;
  const ports = { container, strategies, slices, wait, counter, now: () => now };
  const manager = new ContextManager({ ...ports, config: configOf(options) });
  for (const message of messages) manager.append(message);
  return manager;
}

/** The context that a strategy gets for these messages. */
export async function planContextOf(
  messages: readonly Message[],
  options: PlanningOptions,
): Promise<PlanContext> {
  let seen: PlanContext | undefined;
  const probe: CompressionStrategy = {
    name: 'probe',
    emits: [],
    plan(context) {
      seen = context;
      return { edits: [] };
    },
  };
  await managerOf(messages, options).simulate({
    strategy: probe,
    targetTokens: Math.min(options.targetTokens, -1),
  });
  if (seen === undefined) throw new Error('The pipeline did not ask for a plan.');
  return { ...seen, targetTokens: options.targetTokens };
}
