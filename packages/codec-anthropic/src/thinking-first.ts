import { isFields } from '@ctx/core';
import { blocksOf, type Native } from './decode.js';
import { isThinking } from './thinking.js';

/** A native message, and whether the API wrote it as the continuation of the one before. */
export interface Piece {
  readonly native: Native;
  readonly continues: boolean;
}

/**
 * Where what stood between two messages of the assistant has left, the API joins them, and a model that thinks on demand wants a turn
 * that calls tools to begin with its thinking. There the thinking goes before what was said: in every such turn, not only
 * the last, so that a turn stays as it was sent. Messages that came one after the other stay as they came. Models
 * that bind thinking to its prefix never get here: what was joined has none left.
 */
export function thinkingFirst(pieces: readonly Piece[]): Native[] {
  const natives: Native[] = [];
  for (let start = 0; start < pieces.length; ) {
    const end = turnEnd(pieces, start);
    natives.push(...arranged(pieces.slice(start, end)));
    start = end;
  }
  return natives;
}

/** The position after the messages of the assistant that begin at `start`; after one message of the user. */
function turnEnd(pieces: readonly Piece[], start: number): number {
  let end = start + 1;
  if (pieces[start]?.native.role !== 'assistant') return end;
  while (pieces[end]?.native.role === 'assistant') end += 1;
  return end;
}

function arranged(turn: readonly Piece[]): readonly Native[] {
  const natives = turn.map(({ native }) => native);
  if (turn.slice(1).every(({ continues }) => continues)) return natives;
  const blocks = natives.flatMap((native) => blocksOf(native, 'native.message'));
  const thinking = blocks.filter(isThinking);
  const rest = blocks.filter((block) => !isThinking(block));
  const callsTools = rest.some((block) => isFields(block) && block.type === 'tool_use');
  if (!callsTools || thinking.length === 0 || isThinking(blocks[0])) return natives;
  return [{ ...(natives.at(-1) as Native), content: [...thinking, ...rest] } as Native];
}
