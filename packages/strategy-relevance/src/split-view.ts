import {
  type Exchange,
  messageText,
  type PlanContext,
  type Steps,
  toolCallsOf,
  type ViewMessage,
} from '@ctx/core';
import { exchangesInSteps } from '@ctx/core/kit';
import { isExcerpt } from '@ctx/excerpt';
import type { RelevanceOptions } from './options.js';
import { recentExchanges } from './recent.js';
import { fewestTurns, talkShare, taskShare } from './weights.js';

/** Exchanges that stay but whose texts are cut, and the tokens that they may have together. */
export interface CutGroup {
  readonly exchanges: readonly Exchange[];
  readonly roomTokens: number;
}

/** What happens to each exchange of a view. An exchange in none of the lists stays as it is. */
export interface Split {
  /** The newest exchanges, which stay whole or are cut. */
  readonly newest: readonly Exchange[];
  /** The exchanges that leave the view; an excerpt replaces them. */
  readonly older: readonly Exchange[];
  /** The exchanges that stay but are cut. */
  readonly cut: readonly CutGroup[];
  /** Tokens of the user's older messages that stay outside the excerpt, unchanged. */
  readonly apartTokens: number;
}

/** Decides what happens to each exchange of a view that must shrink to the target. */
export function* splitView(
  context: PlanContext,
  { recent: recentShare, users: usersShare }: Pick<RelevanceOptions, 'recent' | 'users'>,
): Steps<Split> {
  const { free, unread, tasks, fixedTokens } = kindsOf(yield* exchangesInSteps(context.view));
  yield;
  const open = Math.max(0, context.targetTokens - fixedTokens);
  const taskTokens = Math.min(tokensOf(tasks), Math.floor(open * taskShare));
  const shared = open - taskTokens;
  const most = shared * recentShare;
  const lastTokens = free.at(-1)?.tokens ?? 0;
  // The newest message refers to the answer before it.
  const room = isTalk(context.view) ? Math.max(most * talkShare, Math.min(most, lastTokens)) : most;
  const recent = recentOf(free, unread, context, room);
  const rest = free.filter((exchange) => !recent.whole.has(exchange) && !recent.cut.has(exchange));
  yield;
  const apart = new Set(rest.filter(hasHeadings));
  const apartTokens = tokensOf([...apart]);
  const staysApart = apartTokens <= shared * usersShare;
  const older = staysApart ? rest.filter((exchange) => !apart.has(exchange)) : rest;
  // Unused room goes to the exchanges that would be cut: to the newest if any of them is, otherwise to the newest user message.
  const unused = Math.max(0, shared - room - tokensOf(rest));
  const cut = [
    { exchanges: tasks, roomTokens: recent.cut.size > 0 ? taskTokens : taskTokens + unused },
    { exchanges: [...recent.cut], roomTokens: recent.cutTokens + unused },
  ];
  return {
    newest: [...recent.whole, ...recent.cut],
    older,
    cut: cut.filter(({ exchanges, roomTokens }) => tokensOf(exchanges) > roomTokens),
    apartTokens: staysApart ? apartTokens : 0,
  };
}

/** Whether people only talk: there the newest messages say little about the rest, as no work is under way. */
function isTalk(view: readonly ViewMessage[]): boolean {
  const said = view.filter(({ message }) => message.role !== 'system');
  return (
    said.length >= fewestTurns &&
    said.every(({ message }) => message.role !== 'tool' && toolCallsOf(message).length === 0)
  );
}

/** The total tokens of the exchanges. */
export function tokensOf(exchanges: readonly Exchange[]): number {
  return exchanges.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Groups exchanges: those that may leave, those that the model has not read, and those that may be cut but must stay. */
function kindsOf(exchanges: readonly Exchange[]) {
  const fixed = exchanges.filter((exchange) => exchange.pinned && !isUnread(exchange));
  const tasks = fixed.filter(({ messages }) => messages.some(mayBeCut));
  return {
    free: exchanges.filter(({ pinned }) => !pinned),
    unread: exchanges.filter(isUnread),
    tasks,
    fixedTokens: tokensOf(fixed) - tokensOf(tasks),
  };
}

/** Picks the newest exchanges. An excerpt is never one of them: if it were cut, lines could end up under the wrong heading. */
function recentOf(
  free: readonly Exchange[],
  unread: readonly Exchange[],
  context: PlanContext,
  room: number,
) {
  const said = free.filter((exchange) => !isOwnExcerpt(exchange));
  const minMessagesToKeep = context.minMessagesToKeep + free.length - said.length;
  return recentExchanges([...said, ...unread], { view: context.view, minMessagesToKeep }, room);
}

/** Whether this is the newest user message and is so large that it may be cut. */
function mayBeCut({ protectedBy, verbatim }: ViewMessage): boolean {
  return protectedBy === 'newest-user-stays' && !verbatim;
}

/** Whether the model has not read it yet, or still waits for results of it. It stays, but may be cut if it is too large. */
function isUnread({ messages }: Exchange): boolean {
  return messages.some(({ protectedBy }) => protectedBy === 'unread-stays' || protectedBy === 'tool-pairs');
}

/**
 * Whether this is a user message that contains headings. An excerpt would have to indent them, so the message stays outside the excerpt
 * if there is room.
 */
function hasHeadings({ messages: [only] }: Exchange): boolean {
  if (only?.message.role !== 'user' || only.message.summary === true) return false;
  const text = messageText(only.message);
  return !isExcerpt(text) && /^ *#/m.test(text);
}

/** Whether this is the excerpt of an earlier compression, even if a host passed it on as an ordinary message. */
function isOwnExcerpt({ messages: [only] }: Exchange): boolean {
  return only?.message.role === 'user' && isExcerpt(messageText(only.message));
}
