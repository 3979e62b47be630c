import { CtxError, type Message } from '@ctx/core';
import { Transcript } from '@ctx/core/kit';
import { known } from '../fields.js';
import type { Compaction, Session, UsageReport } from '../session.js';
import type { Findings, Place } from './findings.js';

/** A message, its place in the file, and the usage that the provider reported for it. */
export interface Placed {
  readonly message: Message;
  readonly place: Place;
  readonly usage?: Omit<UsageReport, 'index'>;
}

/** A compaction, by its place among the messages. */
export interface Cut extends Pick<Compaction, 'summary' | 'trigger' | 'tokensBefore'> {
  readonly place: Place;
  /** Position of the first message that the summary does not stand for. */
  readonly at: number;
  readonly replacement: readonly Placed[];
}

/** The messages of a file in order, before a transcript has looked at them. */
export interface Conversation {
  readonly placed: readonly Placed[];
  readonly cuts: readonly Cut[];
}

/** Everything that the file of an agent holds. */
export interface FileContent extends Conversation {
  /** By default the name of the file. */
  readonly id?: string | undefined;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  readonly contextWindow?: number | undefined;
}

/** The session of a file that holds one. */
export function sessionOf(
  { placed, cuts, ...about }: FileContent,
  {
    name,
    format,
    findings,
  }: { readonly name: string; readonly format: Session['format']; readonly findings: Findings },
): Session {
  const { messages, usage, positions, refused } = accept(placed, findings);
  findings.leaveOut('compaction-summary', cuts.length);
  let since: { readonly at: number; readonly replacement: readonly Message[] } = { at: 0, replacement: [] };
  const compactions = cuts.map(({ place, at: position, replacement: put, ...rest }): Compaction => {
    const at = positions[position] ?? messages.length;
    const before = [...since.replacement, ...messages.slice(since.at, at)];
    const { messages: replacement } = accept(
      put.filter((one) => !refused.has(one)),
      findings,
    );
    since = { at, replacement };
    return { line: place.line, at, before, replacement, ...rest };
  });
  const id = about.id ?? name;
  const optional = known({ ...about, id, usage, compactions: cuts.length > 0 ? compactions : undefined });
  return { ...optional, format, messages, ...findings.take() };
}

interface Accepted extends Pick<Session, 'messages' | 'usage'> {
  /** For each of the given ones the number of messages that were accepted before it. */
  readonly positions: readonly number[];
  readonly refused: ReadonlySet<Placed>;
}

/**
 * Returns the messages that a transcript accepts one after the other, with their usage. Empty messages are skipped, other bad ones
 * refused.
 */
export function accept(placed: readonly Placed[], findings: Findings): Accepted {
  const transcript = new Transcript();
  const messages: Message[] = [];
  const usage: UsageReport[] = [];
  const positions: number[] = [];
  const refused = new Set<Placed>();
  for (const one of placed) {
    const { message, place, usage: reported } = one;
    positions.push(messages.length);
    try {
      transcript.append(message);
    } catch (error) {
      if (!CtxError.isInstance(error)) throw error;
      refused.add(one);
      if (error.code === 'message-empty') findings.skip(place, 'The message has no content');
      else findings.refuseFor(place, error);
      continue;
    }
    if (reported !== undefined) usage.push(usageOf(messages.length, reported));
    messages.push(message);
  }
  return { messages, positions, refused, ...(usage.length > 0 && { usage }) };
}

/** A damaged file may name fewer tokens of input than of its parts. */
function usageOf(index: number, reported: Omit<UsageReport, 'index'>): UsageReport {
  const { inputTokens, cacheReadTokens, cacheWriteTokens } = reported;
  return { index, ...reported, inputTokens: Math.max(inputTokens, cacheReadTokens + cacheWriteTokens) };
}
