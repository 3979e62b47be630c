import { type Exchange, exchangesOf, messageText, type PlanContext, type ViewMessage } from '@ctx/core';
import { isExcerpt } from './excerpt-text.js';
import type { RelevanceOptions } from './options.js';
import { recentExchanges } from './recent.js';
import { taskShare } from './weights.js';

/** Exchanges that stay with shorter texts, and the tokens that they may have together. */
export interface CutGroup {
  readonly exchanges: readonly Exchange[];
  readonly maxTokens: number;
}

/** What becomes of each exchange of a view. What is in none of the lists stays as it is. */
export interface Split {
  /** The newest exchanges, which stay: as they are, or shorter. */
  readonly newest: readonly Exchange[];
  /** What leaves the view; an excerpt takes its place. */
  readonly older: readonly Exchange[];
  /** What stays, but shorter. */
  readonly cut: readonly CutGroup[];
  /** Tokens of older messages of the user that stay apart from the excerpt, as they are. */
  readonly apartTokens: number;
}

/** Decides what becomes of each exchange of a view that has to get down to the target. */
export function splitView(
  context: PlanContext,
  { recent: recentShare, users: usersShare }: Pick<RelevanceOptions, 'recent' | 'users'>,
): Split {
  const { free, unread, tasks, fixedTokens } = kindsOf(exchangesOf(context.view));
  const open = Math.max(0, context.targetTokens - fixedTokens);
  const taskTokens = Math.min(tokensOf(tasks), Math.floor(open * taskShare));
  const shared = open - taskTokens;
  const room = shared * recentShare;
  const recent = recentOf(free, unread, context, room);
  const rest = free.filter((exchange) => !recent.whole.has(exchange) && !recent.cut.has(exchange));
  const apartTokens = tokensOf(rest.filter(hasHeadings));
  const staysApart = apartTokens <= shared * usersShare;
  const older = staysApart ? rest.filter((exchange) => !hasHeadings(exchange)) : rest;
  // What nothing else needs goes to what would have to be cut, the newest first.
  const unused = Math.max(0, shared - room - tokensOf(older));
  const cut = [
    { exchanges: tasks, maxTokens: recent.cut.size > 0 ? taskTokens : taskTokens + unused },
    { exchanges: [...recent.cut], maxTokens: recent.cutTokens + unused },
  ];
  return {
    newest: [...recent.whole, ...recent.cut],
    older,
    cut: cut.filter(({ exchanges, maxTokens }) => tokensOf(exchanges) > maxTokens),
    apartTokens: staysApart ? apartTokens : 0,
  };
}

/** Tokens of all exchanges together. */
export function tokensOf(exchanges: readonly Exchange[]): number {
  return exchanges.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Exchanges by what may be done with them: they may leave, the model has not read them, they may be shortened at most. */
function kindsOf(exchanges: readonly Exchange[]) {
  const fixed = exchanges.filter((exchange) => exchange.pinned && !isUnread(exchange));
  const tasks = fixed.filter(({ messages }) => messages.some(isShortenable));
  return {
    free: exchanges.filter(({ pinned }) => !pinned),
    unread: exchanges.filter(isUnread),
    tasks,
    fixedTokens: tokensOf(fixed) - tokensOf(tasks),
  };
}

/** An excerpt is always written again: if it were cut like another text, its lines would stand under the headings of others. */
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

/** The newest user message, if it leaves hardly anything of the window for all else. */
function isShortenable({ protectedBy, verbatim }: ViewMessage): boolean {
  return protectedBy === 'newest-user-stays' && !verbatim;
}

/** It stays, and may be shortened if it is too large. */
function isUnread({ messages }: Exchange): boolean {
  return messages.some(({ protectedBy }) => protectedBy === 'unread-stays');
}

/**
 * A message of the user with headings of its own. Between those of an excerpt it could not stand word for word, so it stays a
 * message of its own if there is room.
 */
function hasHeadings({ messages: [only] }: Exchange): boolean {
  if (only?.message.role !== 'user' || only.message.summary === true) return false;
  const text = messageText(only.message);
  return !isExcerpt(text) && /^ *#/m.test(text);
}

/** What an earlier compression put into the view, even if a host has made an ordinary message of it. */
function isOwnExcerpt({ messages: [only] }: Exchange): boolean {
  return only?.message.role === 'user' && isExcerpt(messageText(only.message));
}
