import {
  type CompressionStrategy,
  type DependencyContainer,
  type Edit,
  type Exchange,
  exchangesOf,
  inject,
  injectable,
  type MergeEdit,
  messageText,
  optionsToken,
  type Plan,
  type PlanContext,
  parseOptions,
  registerStrategy,
  type ViewMessage,
} from '@ctx/core';
import { Composition } from './compose.js';
import { intro, isExcerpt } from './excerpt-text.js';
import { optionsSchema, type RelevanceOptions } from './options.js';
import { recentExchanges } from './recent.js';

/** Of what is left beside the system prompt, the newest user message may take so much where it may be shortened at all. */
const taskShare = 0.5;

/**
 * Keeps the newest exchanges whole and the user's messages word for word, and turns what is older into one message: lines word for word,
 * in order, under headings that say where each is from. They are chosen as a budgeted maximum coverage of what the conversation
 * speaks of (see `choose`). Each time the excerpt is made anew from what was really said, never from an excerpt, as long as the
 * transcript holds it.
 */
@injectable()
export class RelevanceStrategy implements CompressionStrategy {
  static readonly strategyName = 'relevance';
  static readonly optionsSchema = optionsSchema;
  readonly name = RelevanceStrategy.strategyName;
  readonly emits = ['merge', 'replace'];

  constructor(@inject(optionsToken('relevance')) readonly options: RelevanceOptions) {}

  plan(context: PlanContext): Plan {
    const plan = this.#plan(context);
    if (plan.edits.length === 0) return { ...plan, reason: 'No excerpt of what is older would be shorter' };
    return isWorthIt(plan, context)
      ? plan
      : { edits: [], reason: 'Nothing is new since the last excerpt, and another would save too little' };
  }

  #plan(context: PlanContext): Plan {
    const { view, targetTokens, currentTokens } = context;
    if (currentTokens <= targetTokens) return { edits: [] };
    const exchanges = exchangesOf(view);
    const free = exchanges.filter(({ pinned }) => !pinned);
    const unread = exchanges.filter(isUnread);
    const fixed = exchanges.filter((exchange) => exchange.pinned && !isUnread(exchange));
    const tasks = fixed.filter(({ messages }) => messages.some(isShortenable));
    const beside = Math.max(0, targetTokens - tokensOf(fixed) + tokensOf(tasks));
    const taskTokens = Math.min(tokensOf(tasks), Math.floor(beside * taskShare));
    const room = (beside - taskTokens) * this.options.recent;
    // An excerpt is always made anew: cut like another text, its lines would stand under the headings of others.
    const said = free.filter((exchange) => !isOwnExcerpt(exchange));
    const minMessagesToKeep = context.minMessagesToKeep + free.length - said.length;
    const recent = recentExchanges([...said, ...unread], { view, minMessagesToKeep }, room);
    const rest = free.filter((exchange) => !recent.whole.has(exchange) && !recent.cut.has(exchange));
    const apart = rest.filter(isWithHeadings);
    const staysApart = tokensOf(apart) <= (beside - taskTokens) * this.options.users;
    const older = staysApart ? rest.filter((exchange) => !isWithHeadings(exchange)) : rest;
    const unused = Math.max(0, beside - taskTokens - room - tokensOf(older));
    const cutTokens = recent.cutTokens + unused;
    const cut = [
      { exchanges: tasks, maxTokens: recent.cut.size > 0 ? taskTokens : taskTokens + unused },
      { exchanges: [...recent.cut], maxTokens: cutTokens },
    ].filter(({ exchanges: some, maxTokens }) => tokensOf(some) > maxTokens);
    const newest = [...recent.whole, ...recent.cut];
    const composition = new Composition(context, { newest, older, cut, options: this.options });
    const edits: Edit[] = composition.cuts();
    const merge = (text: string): Edit => ({
      type: 'merge',
      messages: older.flatMap(({ messages }) => messages.map(({ id }) => id)),
      text,
      placement: 'first',
      reason: 'excerpted',
    });
    const before = edits.length === 0 ? currentTokens : context.simulate(edits).tokens;
    if (older.length === 0 || before <= targetTokens) return { edits };
    const bare = context.simulate([merge(intro), ...edits]).tokens;
    if (bare >= before) return { edits };
    const others = bare - context.tokensOf(intro);
    const maxTokens = targetTokens - others;
    const saidApart = staysApart ? tokensOf(apart) : 0;
    const usersTokens = (maxTokens + saidApart) * this.options.users - saidApart;
    const { text, kept, of, lines } = composition.excerpt(maxTokens, usersTokens);
    if (others + context.tokensOf(text) >= before) return { edits };
    return { edits: [merge(text), ...edits], notes: { kept, of, ...(this.options.explain && { lines }) } };
  }
}

/** Without news since the last excerpt a plan that misses the target has to save so much of the view, or each would save a little more. */
const leastSaved = 1 / 4;

function isWorthIt({ edits }: Plan, { view, currentTokens, targetTokens, simulate }: PlanContext): boolean {
  const leaving = new Set(
    edits.flatMap((edit) => (edit.type === 'merge' ? (edit as MergeEdit).messages : [])),
  );
  const news = view.filter(({ id, message }) => leaving.has(id) && !isExcerpt(messageText(message)));
  if (edits.length === 0 || news.length > 0) return true;
  const { tokens } = simulate(edits);
  return tokens <= targetTokens || tokens <= currentTokens * (1 - leastSaved);
}

/** The newest user message, where it leaves hardly anything of the window for all else. */
function isShortenable({ protectedBy, verbatim }: ViewMessage): boolean {
  return protectedBy === 'newest-user-stays' && !verbatim;
}

/** It stays, and may be shortened where it is too large. */
function isUnread({ messages }: Exchange): boolean {
  return messages.some(({ protectedBy }) => protectedBy === 'unread-stays');
}

/**
 * What the user says with headings of its own: between those of an excerpt it could not stand word for word, so it stays a message of
 * its own where there is room.
 */
function isWithHeadings({ messages: [only] }: Exchange): boolean {
  if (only?.message.role !== 'user' || only.message.summary === true) return false;
  const text = messageText(only.message);
  return !isExcerpt(text) && /^ *#/m.test(text);
}

/** What an earlier compression put into the view, also where a host has made an ordinary message of it. */
function isOwnExcerpt({ messages: [only] }: Exchange): boolean {
  return only?.message.role === 'user' && isExcerpt(messageText(only.message));
}

function tokensOf(exchanges: readonly Exchange[]): number {
  return exchanges.reduce((sum, { tokens }) => sum + tokens, 0);
}

/**
 * The strategy with options of your own.
 * @throws ConfigError `strategy-options-invalid`
 */
export function relevance(options: Partial<RelevanceOptions> = {}): RelevanceStrategy {
  return new RelevanceStrategy(parseOptions(RelevanceStrategy.strategyName, optionsSchema, options));
}

/** Makes the strategy known by its name. */
export function register(container: DependencyContainer): void {
  registerStrategy(container, RelevanceStrategy);
}
