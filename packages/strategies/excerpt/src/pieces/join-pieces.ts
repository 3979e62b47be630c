import type { Steps } from '@ctx/core';
import type { Piece } from './piece.js';
import { shortestJoined } from './weights.js';

/**
 * Joins neighbours into larger pieces until there are at most `maxPieces`. Joins plain lines only, if that is enough, otherwise any
 * neighbours.
 */
export function* atMost(pieces: readonly Piece[], maxPieces: number): Steps<readonly Piece[]> {
  const length = pieces.at(-1)?.end ?? 0;
  for (const canJoin of [isPlain, isAny]) {
    if (runsOf(pieces, canJoin) > maxPieces) continue;
    for (let longest = shortestJoined; longest < length * 2; longest *= 2) {
      if (lengthUpTo(pieces, longest) > maxPieces * longest) continue;
      yield;
      const joined = joinedUpTo(pieces, longest, canJoin);
      if (joined.length <= maxPieces) return joined;
    }
  }
  return joinedUpTo(pieces, length, isAny);
}

/** How many pieces are left if all neighbours that can be joined are. */
function runsOf(pieces: readonly Piece[], canJoin: (piece: Piece) => boolean): number {
  let runs = 0;
  let wasJoined = false;
  for (const piece of pieces) {
    const isJoined = canJoin(piece);
    if (!isJoined || !wasJoined) runs++;
    wasJoined = isJoined;
  }
  return runs;
}

/** The length of all pieces together, of each up to `longest`: no more than that fits into one joined piece. */
function lengthUpTo(pieces: readonly Piece[], longest: number): number {
  let length = 0;
  for (const { start, end } of pieces) length += Math.min(end - start, longest);
  return length;
}

function isPlain(piece: Piece): boolean {
  return piece.kind === 'line';
}

function isAny(): boolean {
  return true;
}

function joinedUpTo(pieces: readonly Piece[], longest: number, canJoin: (piece: Piece) => boolean): Piece[] {
  const joined: Piece[] = [];
  for (let first = 0; first < pieces.length; ) {
    const { start } = pieces[first] as Piece;
    let next = first + 1;
    if (canJoin(pieces[first] as Piece))
      while (next < pieces.length && canJoin(pieces[next] as Piece)) {
        if ((pieces[next] as Piece).end - start > longest) break;
        next++;
      }
    joined.push(joinedPiece(pieces, first, next));
    first = next;
  }
  return joined;
}

/** Joins the pieces from `first` to before `next`. */
function joinedPiece(pieces: readonly Piece[], first: number, next: number): Piece {
  const { start } = pieces[first] as Piece;
  let { kind } = pieces[first] as Piece;
  for (let at = first + 1; at < next; at++) if ((pieces[at] as Piece).kind !== kind) kind = 'line';
  const { end } = pieces[next - 1] as Piece;
  return { start, end, kind };
}
