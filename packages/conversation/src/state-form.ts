import type { ContextManager, ManagerOptions, Message } from '@ctx/core';
import { restore } from '@ctx/presets';
import { isClosing } from './closing.js';
import { prefixHashes } from './prefix-hashes.js';

/** What a state keeps of a message that the history has: its id; of one that core added, all of it. */
type KeptMessage = string | { readonly id: string; readonly message: Message };

interface State {
  readonly form: 1;
  /** What the history was when the state was made: how many messages apart from system prompts, and their hash. */
  readonly said: number;
  readonly hash: number;
  readonly messages: readonly KeptMessage[];
  /** A packed snapshot without its messages: excerpts in it refer to lines of messages, so it repeats none of them. */
  readonly rest: Readonly<Record<string, unknown>>;
}

/** The state of a manager without the messages of the history that it last took. */
export function stateOf(manager: ContextManager, history: readonly Message[]): string {
  const { messages: _, forms: _forms, meter, ...rest } = JSON.parse(JSON.stringify(manager.snapshot()));
  const { tools: _tools, ...measured } = meter ?? {};
  const hashes = prefixHashes(history);
  const state: State = {
    form: 1,
    said: hashes.length,
    hash: hashes.at(-1) ?? 0,
    messages: manager.transcript.map(({ id, message }) => (isClosing(message) ? { id, message } : id)),
    rest: { ...rest, meter: measured },
  };
  return JSON.stringify(state);
}

/**
 * The manager of a state, for a history that goes on from it; `undefined` if this history does not.
 * @throws CtxError `snapshot-invalid`, SyntaxError for what is no state
 */
export function managerOf(
  value: string,
  history: readonly Message[],
  options: ManagerOptions,
): ContextManager | undefined {
  const state = JSON.parse(value) as State;
  if (state.form !== 1 || prefixHashes(history)[state.said - 1] !== state.hash) return undefined;
  const messages = completed(state.messages, history);
  return messages && restore({ ...state.rest, messages }, options);
}

function completed(kept: readonly KeptMessage[], history: readonly Message[]) {
  const own = kept.filter((one) => typeof one === 'string').length;
  if (own > history.length) return undefined;
  let at = 0;
  return kept.map((one) => {
    if (typeof one !== 'string') return one;
    at += 1;
    return { id: one, message: history[at - 1] as Message };
  });
}
