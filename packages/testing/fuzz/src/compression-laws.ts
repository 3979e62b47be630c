import {
  type CompressionOutcome,
  type CompressionRecord,
  type ContextManager,
  CtxError,
  type Message,
} from '@ctx/core';
import { counters, tokensOf } from './counter.js';
import { type ExpectedEntry, type ExpectedView, expectedView, partNow, partsIn } from './expected-view.js';
import { differenceOf } from './restore-laws.js';
import type { FuzzConfig, Setup } from './setup.js';
import type { Seen, Subject } from './subject.js';
import { newestUserIn, taskIn } from './what-stays.js';

/** The state of a manager right before or after a compression. */
interface Standing {
  readonly seen: Seen;
  readonly stats: ReturnType<ContextManager['stats']>;
  readonly expected: ExpectedView;
}

export function standing({ manager }: Subject, seen: Seen): Standing {
  return { seen, stats: manager.stats(), expected: expectedView(seen.transcript, seen.records) };
}

/** What decides whether a request fits: until usage is reported, what is counted, without what is assumed about the provider. */
function decisiveTokens({ stats: { currentTokens, countedTokens, quality } }: Standing): number {
  return quality === 'calibrated' ? currentTokens : countedTokens;
}

/** Whether counted tokens equal the provider's tokens, because nothing was learned or assumed about the difference. */
function isPlain({ setup, reports }: Subject): boolean {
  const { offset, factor, perToolCall } = setup.config.prior;
  return reports === 0 && offset === 0 && factor === 1 && perToolCall === 0;
}

/** What was done, and what came of it. */
interface Done {
  readonly outcome?: CompressionOutcome | undefined;
  readonly error?: unknown;
  readonly target?: number | undefined;
  /** Only a check may stop near its target and takes back; only a recovery tries in vain. */
  readonly step: string;
}

const idsIn = (records: readonly CompressionRecord[]) => records.map(({ id }) => id);

/** Checks one compression. Nothing else may have happened while it ran. */
export function checkCompression(subject: Subject, before: Standing, after: Standing, done: Done): void {
  const { outcome, error } = done;
  const known = idsIn(before.seen.records);
  const record = after.seen.records.find(({ id }) => !known.includes(id));
  if (record === undefined) checkUnchanged(subject, before.seen, after.seen, done.step);
  else checkRecord(subject, before, after, record);
  const { maxTokens } = after.stats;
  const tokens = decisiveTokens(after);
  if (outcome?.status === 'compressed' || outcome?.status === 'insufficient')
    subject.book.holds('fits', tokens <= maxTokens, `${tokens} tokens are sent where ${maxTokens} fit`);
  if (outcome?.status === 'compressed' && isPlain(subject)) checkTarget(subject, before, after, record, done);
  if (CtxError.isInstance(error) && error.code === 'context-overflow') checkOverflow(subject, after);
}

function checkRecord(subject: Subject, before: Standing, after: Standing, record: CompressionRecord): void {
  const { book, setup } = subject;
  const start = withoutCuts(before, after);
  const { id, tokensBefore, tokensAfter, removed, messagesAfter, relaxed } = record;
  const wanted = relaxed === 'last-resort' ? 1 : setup.config.minMessagesToKeep;
  const least = Math.min(wanted, start.expected.entries.length);
  const few = `${messagesAfter} messages are left of at least ${least}`;
  book.holds('min-messages', messagesAfter >= least, few);
  const isLess = tokensAfter < tokensBefore;
  book.holds('fewer-tokens', isLess, `${id}: ${tokensBefore} tokens became ${tokensAfter}`);
  const staying = aloneIn(after.expected);
  const said = before.seen.transcript;
  const messages = after.seen.transcript.length;
  const shortened = said.some(({ message }, at) => message !== after.seen.transcript[at]?.message);
  const atLeast = start === before ? 0 : tokensBefore;
  // What comes back makes the request larger; what is shortened at its arrival made it smaller before.
  const due = {
    tokensBefore: shortened ? tokensBefore : Math.max(before.stats.countedTokens, atLeast),
    tokensAfter: after.stats.countedTokens,
    messagesAfter: after.expected.entries.length,
    removed: aloneIn(start.expected).filter((one) => !staying.includes(one)),
    messages: said.length,
  };
  const problem = differenceOf({ tokensBefore, tokensAfter, messagesAfter, removed, messages }, due);
  book.check('record-true', problem && `${id} does not say what happened: ${problem}`);
  if (isPlain(subject) && setup.counter !== 'faulty') checkCuts(subject, start, record);
}

function checkTarget(
  { book, setup: { config } }: Subject,
  before: Standing,
  after: Standing,
  record: CompressionRecord | undefined,
  { target = 0, step }: Done,
): void {
  if (target <= leastTarget || after.expected.entries.length === 0) return;
  const isCheck = step === 'check';
  // A record rounds its target. Its stages count the line for what has gone as it was before: not at all the first time.
  const enough = isCheck ? nearEnough(Math.max(target, record?.targetTokens ?? 0), config) : target;
  const isNewLine = isCheck && before.expected.dropped.size === 0;
  const reached = (isNewLine ? record?.stages.at(-1)?.tokensAfter : undefined) ?? after.stats.countedTokens;
  const problem = `${reached} tokens remain, but the target is ${target}, and ${enough} are enough`;
  book.holds('target', reached <= enough, problem);
}

/** A check with room takes back what cut something that must stay or was done for a refusal, and may then compress. */
function withoutCuts(before: Standing, after: Standing): Standing {
  const kept = idsIn(after.seen.records);
  const { transcript, records } = before.seen;
  const staying = records.filter(({ id }) => kept.includes(id));
  const mayReturn = records.some((one) => !staying.includes(one) && mayComeBack(before.seen, one));
  return mayReturn ? { ...before, expected: expectedView(transcript, staying) } : before;
}

/** The reason of records that a provider's refusal asked for. */
const ofRefusal = 'the provider reported a context overflow';

/** A text that was cut before its message was pinned must stay from then on, too. */
function mayComeBack({ pins }: Seen, { relaxed, reason, edits }: CompressionRecord): boolean {
  const isPinned = edits.some((edit) => edit.type === 'replace' && pins.includes(edit.message));
  return relaxed !== undefined || reason === ofRefusal || isPinned;
}

function aloneIn({ entries }: ExpectedView): string[] {
  return entries.filter(({ merged }) => merged === undefined).map(({ id }) => id);
}

/**
 * Without a record nothing changes, but that a check takes back what may come back, with what was built on it, and a recovery in vain what it
 * made itself, in one or two attempts.
 */
function checkUnchanged({ book }: Subject, before: Seen, after: Seen, step: string): void {
  const [all, kept] = [idsIn(before.records), idsIn(after.records)];
  const first = before.records.findIndex((one) => !kept.includes(one.id) && mayComeBack(before, one));
  const mayGo = step === 'check' && first >= 0;
  const records = all.filter((id, at) => !mayGo || at < first || kept.includes(id));
  const epochs = after.epoch - before.epoch;
  const isInVain = step === 'recover' && (epochs === 2 || epochs === 4);
  const due = { records, isNewEpoch: records.length < all.length };
  const found = { records: kept, isNewEpoch: epochs !== 0 && !isInVain };
  book.check('nothing-without-record', differenceOf(due, found));
}

/** The most tokens that a check may leave above its target: half of the way back to where it would start again. */
function nearEnough(target: number, { contextWindow, trigger }: FuzzConfig): number {
  const start = trigger?.tokens ?? (trigger?.fraction ?? 1) * contextWindow;
  const halfway = target + Math.max(start - target, 0.08 * contextWindow) / 2;
  return Math.max(target, Math.min(contextWindow, halfway));
}

/** Tokens that are kept free for the answer unless the settings say otherwise. */
const usualReserve = 4096;

/** What must stay is cut only where all of it is more than the window, of which a fifth of the reserve stays free. */
function checkCuts(
  { book, setup, tools }: Subject,
  { seen, expected: { entries } }: Standing,
  { id, reason, edits }: CompressionRecord,
): void {
  // A provider that refused a request says that less fits than was thought.
  if (reason === ofRefusal) return;
  const staying = entries.filter(keeperOf(seen, reason !== 'by hand'));
  const replaced = edits.flatMap((edit) => (edit.type === 'replace' ? [edit.message] : []));
  const cut = staying.find((entry) => replaced.includes(entry.id));
  if (cut === undefined) return;
  const { config, counter } = setup;
  // Calls and results leave together: what stays holds the others of its exchange.
  const messages = tokensIn(entries.filter(inExchangesOf(staying)), setup, false);
  const defined = tools === '' ? 0 : counters[counter].count(tools);
  const tokens = messages + config.overhead.conversation + defined + spareTokens;
  const { contextWindow, reserve = usualReserve } = config;
  const fits = contextWindow - Math.min(reserve / 5, contextWindow / 10);
  const problem = `${id} cut "${cut.id}" though all ${tokens} tokens that must stay fit into ${fits}`;
  book.holds('unread-stays', tokens > fits, problem);
}

/** Checks that, after an overflow error, the view really does not fit and has no messages that could have left. */
function checkOverflow({ book, setup }: Subject, after: Standing): void {
  const isOver = decisiveTokens(after) > after.stats.maxTokens;
  book.holds('overflow-honest', isOver, 'an overflow is reported though the view fits');
  if (setup.counter === 'faulty') return;
  const { entries } = after.expected;
  const isKept = inExchangesOf(entries.filter(keeperOf(after.seen)));
  const removable = entries.filter((entry) => !isKept(entry));
  const rest = removable.slice(removable.length === entries.length ? 1 : 0);
  const tokens = tokensIn(rest, setup, setup.config.reasoning !== 'kept');
  const ids = removable.map(({ id }) => id).join(', ');
  const problem = `${tokens} tokens of messages that nothing protects are still there: ${ids}`;
  book.holds('overflow-honest', tokens <= spareTokens, problem);
}

/** In tokens. A lower target may be less than a request has apart from its messages. */
const leastTarget = 100;

/** In tokens. The line that replaces dropped messages takes some, so messages with fewer tokens may stay. */
const spareTokens = 60;

/** @param keepsUnanswered whether what was said before the first answer stays too, as in all that nobody asked for by hand */
function keeperOf({ transcript, pins }: Seen, keepsUnanswered = false): (entry: ExpectedEntry) => boolean {
  const always = [...pins, newestUserIn(transcript)?.id, taskIn(transcript)?.id];
  const newest = transcript.findLast(({ message }) => message.role === 'assistant');
  const calls = newest !== undefined && partsIn(newest.message).some(({ type }) => type === 'tool-call');
  return ({ id, origins: [origin], merged }) => {
    if (origin === undefined || merged !== undefined) return false;
    const { role, pinned, priority } = origin.message;
    if (role === 'system' || pinned === true || priority === 'CRITICAL' || always.includes(id)) return true;
    if (newest === undefined) return keepsUnanswered;
    return origin.exchange > newest.exchange || (calls && origin.exchange === newest.exchange);
  };
}

/** True for what is of the same exchange as one of these. */
function inExchangesOf(entries: readonly ExpectedEntry[]): (entry: ExpectedEntry) => boolean {
  const exchanges = entries.map(({ origins }) => origins[0]?.exchange);
  return ({ origins }) => exchanges.includes(origins[0]?.exchange);
}

/** @param hides whether reasoning is not sent, and takes no room */
function tokensIn(entries: readonly ExpectedEntry[], { counter, config }: Setup, hides: boolean): number {
  const tokens = entries.map(({ id, parts }) => {
    const content = parts.filter(({ said }) => !hides || said.type !== 'reasoning').map(partNow);
    const message = { id, role: 'assistant', content } as Message;
    return content.length === 0 ? 0 : tokensOf(message, counters[counter], config.overhead.message);
  });
  return tokens.reduce((sum, one) => sum + one, 0);
}
