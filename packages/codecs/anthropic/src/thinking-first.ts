import { isFields } from '@ctx/core/codec';
import { blocksOf, type Native } from './blocks.js';
import { isThinking } from './thinking.js';

/** A native message, and whether the API wrote it as the continuation of the one before. */
export interface Piece {
  readonly native: Native;
  readonly continues: boolean;
}

/**
 * If everything between two messages of the assistant was dropped, the API joins them. A model that thinks on demand wants a turn with
 * tool calls to begin with thinking, so the thinking is moved to the front. This is done in every such turn, not only in the last, so
 * that a turn stays as it was sent. Messages that were already consecutive stay as they were. Models that bind thinking to its prefix are
 * not affected: joined messages have no thinking left.
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

/** The position after the run of assistant messages that begins at `start`; for a user message, the position after it. */
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
