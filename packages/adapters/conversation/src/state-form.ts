import type { ContextManager, ManagerOptions, Message, Steps } from '@ctx/core';
import { isClosing, parseJson, stringifyJson } from '@ctx/core/codec';
import { restoreInSteps } from '@ctx/presets';
import type { Asked } from './asked-request.js';

/** What a state keeps of a message that the history has: its id; of one that core added, all of it. */
type KeptMessage = string | { readonly id: string; readonly message: Message };

/** Changes with the form of a line or of a snapshot. */
const form = 3;

/** What is kept of one line of a conversation: a fork is a line of its own. */
export interface KeptLine {
  readonly form: typeof form;
  /** Of this state of the line; random. */
  readonly id: string;
  /** The key of the line, by which its archive knows it. */
  readonly key: string;
  /** What the history was when the state was made: how many messages apart from system prompts, and their hash. */
  readonly said: number;
  readonly hash: number;
  readonly messages: readonly KeptMessage[];
  /** A snapshot without its messages. */
  readonly rest: Readonly<Record<string, unknown>>;
}

/**
 * The state of a manager without the messages of the history that it last took.
 * @param hashes those of the history
 */
export function keptLine(manager: ContextManager, key: string, hashes: readonly number[]): KeptLine {
  const { messages: _messages, meter, ...rest } = manager.snapshot();
  const { tools: _tools, ...measured } = meter ?? {};
  return {
    form,
    id: crypto.randomUUID(),
    key,
    said: hashes.length,
    hash: hashes.at(-1) ?? 0,
    messages: manager.transcript.map(({ id, message }) => (isClosing(message) ? { id, message } : id)),
    rest: { ...rest, meter: measured },
  };
}

/** True if a history goes on from the state. */
export const goesOn = ({ said, hash }: KeptLine, hashes: readonly number[]) => hashes[said - 1] === hash;

/**
 * The manager of a state, for a history that goes on from it; `undefined` if this history does not.
 * @throws CtxError `snapshot-invalid`
 */
export function* managerOf(
  line: KeptLine,
  { messages: history, hashes }: Pick<Asked<unknown>, 'messages' | 'hashes'>,
  options: ManagerOptions,
): Steps<ContextManager | undefined> {
  const messages = goesOn(line, hashes) ? completed(line.messages, history) : undefined;
  return messages && (yield* restoreInSteps({ ...line.rest, messages }, options));
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

/** The lines as text, each in a line of its own. */
export const textOfLines = (lines: readonly KeptLine[]) =>
  lines.map((line) => stringifyJson(line)).join('\n');

/** @throws SyntaxError for what are not lines */
export function linesOf(text: string): KeptLine[] {
  const lines = text.split('\n').map((line) => parseJson(line) as Partial<KeptLine> | null);
  // What an earlier version has stored is lost.
  return lines.filter((line): line is KeptLine => line?.form === form);
}
