import { type Fields, type Finding, isFields } from '@ctx/core/codec';
import { blocksOf, type Native } from './blocks.js';
import type { AnyMessage } from './native-message.js';

export type Rule = (request: Request) => Finding[];

/** A block and the position of its message; -1 for the system prompt. */
export interface Located {
  readonly index: number;
  readonly block: Fields;
}

/** A well-formed request, in the form for rules. */
export interface Request {
  readonly system: readonly Located[];
  readonly messages: readonly AnyMessage[];
  /** The blocks of each message; a string is one text block, an empty one none. */
  readonly blocks: readonly (readonly Located[])[];
  readonly turns: readonly Turn[];
}

/** The assistant's blocks before the next user message, which answers them. The API joins messages of one role. */
interface Turn {
  readonly blocks: readonly Located[];
  /** Position of the message after the turn. */
  readonly next: number;
}

export function requestOf(system: Native | undefined, messages: readonly Native[]): Request {
  const blocks = messages.map(located);
  const turns: Turn[] = [];
  messages.forEach(({ role }, index) => {
    if (role !== 'assistant') return;
    const before = messages[index - 1]?.role === 'assistant' ? turns.pop() : undefined;
    turns.push({ blocks: [...(before?.blocks ?? []), ...(blocks[index] ?? [])], next: index + 1 });
  });
  return { system: system === undefined ? [] : located(system, -1), messages, blocks, turns };
}

function located(native: Native, index: number): Located[] {
  if (native.content === '' || native.content === undefined) return [];
  return blocksOf(native, 'messages').map((block) => ({ index, block: block as Fields }));
}

export function ofType(blocks: readonly Located[] | undefined, type: string): readonly Located[] {
  return (blocks ?? []).filter(({ block }) => block.type === type);
}

/** Blocks, including those inside tool results. */
export function withNested(blocks: readonly Located[]): Located[] {
  return blocks.flatMap((one) => {
    const inside: unknown[] =
      one.block.type === 'tool_result' && Array.isArray(one.block.content) ? one.block.content : [];
    return [one, ...inside.filter(isFields).map((block) => ({ index: one.index, block }))];
  });
}
