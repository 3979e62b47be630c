import {
  type Exchange,
  messageText,
  type PlanContext,
  type Steps,
  toolCallsOf,
  type ViewMessage,
} from '@ctx/core';
import { exchangesInSteps, segmentsOf } from '@ctx/core/kit';
import { fewestTurns, indexShare, isExcerpt } from '@ctx/excerpt';
import type { RelevanceOptions } from './options.js';
import { recentExchanges } from './recent.js';
import { smallestSegment, usersFloor } from './weights.js';

/** Exchanges that stay but whose texts are cut, and the tokens that they may have together. */
export interface CutGroup {
  readonly exchanges: readonly Exchange[];
  readonly roomTokens: number;
  /** … and that the user's words may have of it if the model has read them. @default all */
  readonly readTokens?: number;
  /** Whether the model has not read them, or only the first. */
  readonly isUnread: boolean;
}

/** What happens to each exchange of a view. An exchange in none of the lists stays as it is. */
export interface Split {
  /** The newest exchanges, which stay whole or are cut. */
  readonly newest: readonly Exchange[];
  /** The exchanges that are removed from the view, divided by the user's messages that stay. An excerpt replaces each of the segments. */
  readonly segments: readonly Segment[];
  /** The exchanges that stay but are cut. */
  readonly cut: readonly CutGroup[];
}

/** Older exchanges with no message of the user's between them that stays. */
export interface Segment {
  readonly exchanges: readonly Exchange[];
  /** Whether the task is before them, so that they are work on it. */
  readonly isWork: boolean;
}

/** Decides what happens to each exchange of a view that must shrink to the target. */
export function* splitView(
  context: PlanContext,
  { recent: recentShare }: Pick<RelevanceOptions, 'recent'>,
): Steps<Split> {
  const { free, staying, crowding, stayingTokens } = kindsOf(yield* exchangesInSteps(context.view));
  yield;
  // Beside what must stay, a target may be larger than the window.
  const open = Math.max(0, Math.min(context.targetTokens, context.maxTokens) - stayingTokens);
  const most = open * recentShare;
  const lastTokens = free.at(-1)?.tokens ?? 0;
  // The newest message refers to the answer before it.
  const room = isTalk(context.view) ? Math.max(most * usersFloor, Math.min(most, lastTokens)) : most;
  const recent = recentOf(free, staying.at(-1), context, room);
  const rest = free.filter((exchange) => !recent.whole.has(exchange) && !recent.cut.has(exchange));
  yield;
  const cut: CutGroup[] = [
    // What must stay is more than the window: it may have what the rest of it leaves, whatever the target. Once work on what the user said
    // has begun, that needs room too.
    {
      exchanges: crowding,
      roomTokens: crowdedRoom(context, stayingTokens - tokensOf(crowding)),
      readTokens: Math.max(context.targetTokens / 2, context.contextWindow * usersFloor),
      isUnread: true,
    },
    // Unused room goes to the exchanges that would be cut.
    {
      exchanges: [...recent.cut],
      roomTokens: recent.cutTokens + Math.max(0, open - room - tokensOf(rest)),
      isUnread: false,
    },
  ];
  return {
    newest: [...recent.whole, ...recent.cut],
    segments: dividedAtUsers(rest, context),
    cut: cut.filter(({ exchanges, roomTokens }) => tokensOf(exchanges) > roomTokens),
  };
}

/** What is left of the window for what must stay but is too large, beside the rest that stays, what was done and what the user wants. */
function crowdedRoom({ maxTokens }: PlanContext, others: number): number {
  return maxTokens * (1 - 2 * indexShare) - others;
}

/** An excerpt of a few words would be longer than they are, so such a segment stays. */
function dividedAtUsers(older: readonly Exchange[], { view }: PlanContext): Segment[] {
  const task = view.find(({ protectedBy }) => protectedBy === 'task-stays') ?? newestUser(view);
  return segmentsOf(older, view)
    .filter((exchanges) => tokensOf(exchanges) > smallestSegment || exchanges.every(isNote))
    .map((exchanges) => ({
      exchanges,
      isWork: task !== undefined && (exchanges[0] as Exchange).first > task.index,
    }));
}

function newestUser(view: readonly ViewMessage[]): ViewMessage | undefined {
  return view.find(({ protectedBy }) => protectedBy === 'newest-user-stays');
}

/** Whether people only talk: there the newest messages say little about the rest, as no work is under way. */
function isTalk(view: readonly ViewMessage[]): boolean {
  const said = view.filter(({ message }) => message.role !== 'system');
  return (
    said.length >= fewestTurns &&
    said.every(({ message }) => message.role !== 'tool' && toolCallsOf(message).length === 0)
  );
}

/** Whether an exchange of a view is an excerpt, which may have been cut short where there was no room. */
export function isNote({ messages }: Exchange): boolean {
  return messages.every(({ id }) => id.startsWith('ctx:'));
}

/** All exchanges that are removed from the view. */
export function segmentExchanges({ segments }: Pick<Split, 'segments'>): Exchange[] {
  return segments.flatMap(({ exchanges }) => exchanges);
}

/** The total tokens of the exchanges. */
export function tokensOf(exchanges: readonly Exchange[]): number {
  return exchanges.reduce((sum, { tokens }) => sum + tokens, 0);
}

/**
 * Groups exchanges: those that may be removed, those that must stay, and those of them that may be cut because what must stay is larger than the
 * window.
 */
function kindsOf(exchanges: readonly Exchange[]) {
  const staying = exchanges.filter(({ pinned }) => pinned);
  return {
    free: exchanges.filter(({ pinned }) => !pinned),
    staying,
    crowding: staying.filter(({ messages }) => messages.some(({ verbatim }) => !verbatim)),
    stayingTokens: tokensOf(staying),
  };
}

/** Picks the newest exchanges. An excerpt is never one of them: if it were cut, lines could end up under the wrong heading. */
function recentOf(
  free: readonly Exchange[],
  lastStaying: Exchange | undefined,
  context: PlanContext,
  room: number,
) {
  const said = free.filter((exchange) => !isOwnExcerpt(exchange));
  const minMessagesToKeep = context.minMessagesToKeep + free.length - said.length;
  // If something stays that was said after all that may be removed, the model has what it needs next.
  const hasNewer = lastStaying !== undefined && lastStaying.last > (said.at(-1)?.last ?? -1);
  return recentExchanges(said, { view: context.view, minMessagesToKeep, hasNewer }, room);
}

/** Whether this is the excerpt of an earlier compression, even if a host passed it on as an ordinary message. */
function isOwnExcerpt({ messages: [only] }: Exchange): boolean {
  return only?.message.role === 'user' && isExcerpt(messageText(only.message));
}
