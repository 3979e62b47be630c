import { CtxError, type Message } from '@ctx/core';
import { known } from '../fields.js';
import type { Compaction, ReadOptions, Session } from '../session.js';
import { accept, type Said } from './acceptance.js';
import type { Findings, Place } from './findings.js';

/** A compaction, by its place among what was said. */
export interface Cut extends Pick<Compaction, 'summary' | 'trigger' | 'tokensBefore' | 'tokensAfter'> {
  readonly place: Place;
  /** Position of the first message that the summary does not stand for. */
  readonly at: number;
  readonly replacement: readonly Said[];
}

/** Everything that a file of one session holds, before a transcript has looked at it. */
export interface Told {
  readonly about: Pick<Session, 'id' | 'format' | 'model' | 'provider' | 'contextWindow'>;
  readonly said: readonly Said[];
  readonly cuts: readonly Cut[];
}

/**
 * The session of a file that holds one.
 * @throws CtxError `session-empty` if no message is left
 */
export function sessionFrom(
  { about, said, cuts }: Told,
  { findings, from }: { readonly findings: Findings; readonly from?: ReadOptions['from'] },
): Session {
  const last = cuts.at(-1);
  const isLast = from === 'last-compaction' && last !== undefined;
  const session = isLast ? sinceCut(last, said, cuts, findings) : whole(said, cuts, findings);
  if (session.messages.length > 0) return { ...about, ...session, ...findings.take() };
  throw new CtxError({
    code: 'session-empty',
    problem: 'The file holds no message',
    place: findings.file,
    remedy: 'Give a file with at least one message.',
  });
}

type Content = Pick<Session, 'messages' | 'usage' | 'compactions'>;

function sinceCut(last: Cut, said: readonly Said[], cuts: readonly Cut[], findings: Findings): Content {
  const kept = new Set(last.replacement);
  const before = said.slice(0, last.at).filter((one) => !kept.has(one));
  findings.leaveOut('before-compaction', before.length);
  findings.leaveOut('compaction-summary', cuts.length - 1);
  const { messages, usage } = accept([...last.replacement, ...said.slice(last.at)], findings);
  return known({ messages, usage });
}

function whole(said: readonly Said[], cuts: readonly Cut[], findings: Findings): Content {
  const { messages, usage, positions, refused } = accept(said, findings);
  findings.leaveOut('compaction-summary', cuts.length);
  let since: { readonly at: number; readonly replacement: readonly Message[] } = { at: 0, replacement: [] };
  const compactions = cuts.map(({ place, at: position, replacement: put, ...rest }): Compaction => {
    const at = positions[position] ?? messages.length;
    const before = [...since.replacement, ...messages.slice(since.at, at)];
    findings.warn(place, `The session was compacted here; ${whatIsLeft(before, rest.summary)}`);
    const usable = put.filter((one) => !refused.has(one));
    const replacement = accept(usable, findings).messages;
    since = { at, replacement };
    return { line: place.line, at, before, replacement, ...rest };
  });
  return known({ messages, usage, compactions: cuts.length > 0 ? compactions : undefined });
}

function whatIsLeft(before: readonly Message[], summary: string | undefined): string {
  if (before.length === 0) return 'what the summary stands for is not in the file';
  return summary === undefined ? 'the file does not hold the summary' : 'what it stands for is kept instead';
}
