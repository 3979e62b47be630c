import { type CompressionOutcome, type CompressionRecord, type ContextManager, CtxError } from '@ctx/core';
import { counters } from './counter.js';
import { type ExpectedEntry, type ExpectedView, expectedView, partNow, partsIn } from './expected-view.js';
import { tokensOf } from './independent-count.js';
import type { LawBook } from './laws.js';
import { differenceOf } from './restore-laws.js';
import type { FuzzConfig, Setup } from './setup.js';
import type { Seen, Subject } from './subject.js';
import { newestUserIn, taskIn } from './what-stays.js';

/** The state of a manager right before or after a compression. */
export interface Standing {
  readonly seen: Seen;
  readonly stats: ReturnType<ContextManager['stats']>;
  readonly expected: ExpectedView;
}

export function standing(subject: Subject, seen: Seen): Standing {
  return { seen, stats: subject.manager.stats(), expected: expectedView(seen.transcript, seen.records) };
}

/** What decides whether a request fits: until usage is reported, what is counted, without what is assumed about the provider. */
function decisiveTokens({ currentTokens, countedTokens, quality }: Standing['stats']): number {
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

/** Checks one compression. Nothing else may have happened while it ran. */
export function checkCompression(
  book: LawBook,
  subject: Subject,
  before: Standing,
  after: Standing,
  { outcome, error, target, step }: Done,
): void {
  const known = new Set(before.seen.records.map(({ id }) => id));
  const record = after.seen.records.find(({ id }) => !known.has(id));
  if (record === undefined) checkUnchanged(book, before, after, step);
  else checkRecord(book, subject, before, after, record);
  const { maxTokens } = after.stats;
  const tokens = decisiveTokens(after.stats);
  if (outcome?.status === 'compressed' || outcome?.status === 'insufficient')
    book.holds('fits', tokens <= maxTokens, `${tokens} tokens are sent where ${maxTokens} fit`);
  if (outcome?.status === 'compressed' && target !== undefined && isPlain(subject))
    checkTarget(book, subject, before, after, { record, target, isCheck: step === 'check' });
  if (CtxError.isInstance(error) && error.code === 'context-overflow')
    checkOverflow(book, subject.setup, after);
}

function checkRecord(
  book: LawBook,
  subject: Subject,
  before: Standing,
  after: Standing,
  record: CompressionRecord,
): void {
  const { config, counter } = subject.setup;
  const start = withoutCuts(before, after);
  const { id, tokensBefore, tokensAfter, removed, messagesAfter, relaxed } = record;
  const { countedTokens } = before.stats;
  const wanted = relaxed === 'last-resort' ? 1 : config.minMessagesToKeep;
  const least = Math.min(wanted, start.expected.entries.length);
  book.holds(
    'min-messages',
    messagesAfter >= least,
    `${messagesAfter} messages are left of at least ${least}`,
  );
  book.holds(
    'fewer-tokens',
    tokensAfter < tokensBefore,
    `${id}: ${tokensBefore} tokens became ${tokensAfter}`,
  );
  const left = aloneIn(start.expected).filter((one) => !aloneIn(after.expected).includes(one));
  const { length: messages } = after.seen.transcript;
  const shortened = before.seen.transcript.some(
    ({ message }, at) => message !== after.seen.transcript[at]?.message,
  );
  // What comes back makes the request larger; what is shortened at its arrival made it smaller before.
  const due = {
    tokensBefore: shortened ? tokensBefore : Math.max(countedTokens, start === before ? 0 : tokensBefore),
    tokensAfter: after.stats.countedTokens,
    messagesAfter: after.expected.entries.length,
    removed: left,
    messages: before.seen.transcript.length,
  };
  const problem = differenceOf({ tokensBefore, tokensAfter, messagesAfter, removed, messages }, due);
  book.check('record-true', problem && `${id} does not say what happened: ${problem}`);
  if (isPlain(subject) && counter !== 'faulty') checkCuts(book, subject, start, record);
}

function checkTarget(
  book: LawBook,
  { setup: { config } }: Subject,
  before: Standing,
  after: Standing,
  {
    record,
    target,
    isCheck,
  }: { readonly record: CompressionRecord | undefined; readonly target: number; readonly isCheck: boolean },
): void {
  if (target <= leastTarget || after.expected.entries.length === 0) return;
  // A record rounds its target. Its stages count the line for what has gone as it was before: not at all the first time.
  const enough = isCheck ? nearEnough(Math.max(target, record?.targetTokens ?? 0), config) : target;
  const isNewLine = isCheck && before.expected.dropped.size === 0;
  const reached = (isNewLine ? record?.stages.at(-1)?.tokensAfter : undefined) ?? after.stats.countedTokens;
  const problem = `${reached} tokens remain, but the target is ${target}, and ${enough} are enough`;
  book.holds('target', reached <= enough, problem);
}

/** A check with room takes back what cut something that must stay or was done for a refusal, and may then compress. */
function withoutCuts(before: Standing, after: Standing): Standing {
  const kept = new Set(after.seen.records.map(({ id }) => id));
  const { transcript, records } = before.seen;
  const gone = records.filter(({ id }) => !kept.has(id));
  if (!gone.some(mayComeBack(before.seen))) return before;
  const staying = records.filter(({ id }) => kept.has(id));
  return { ...before, expected: expectedView(transcript, staying) };
}

/** The reason of records that a provider's refusal asked for. */
const ofRefusal = 'the provider reported a context overflow';

/** A text that was cut before its message was pinned must stay from then on, too. */
const mayComeBack =
  ({ pins }: Seen) =>
  ({ relaxed, reason, edits }: CompressionRecord) =>
    relaxed !== undefined ||
    reason === ofRefusal ||
    edits.some((edit) => edit.type === 'replace' && pins.includes(edit.message));

function aloneIn({ entries }: ExpectedView): string[] {
  return entries.filter(({ merged }) => merged === undefined).map(({ id }) => id);
}

/**
 * Without a record nothing changes, but that a check takes back what may come back, with what was built on it, and a recovery in vain what it
 * made itself, in one or two attempts.
 */
function checkUnchanged(book: LawBook, before: Standing, after: Standing, step: string): void {
  const kept = new Set(after.seen.records.map(({ id }) => id));
  const { records, epoch } = before.seen;
  const first = records.findIndex((one) => !kept.has(one.id) && mayComeBack(before.seen)(one));
  const expected =
    step === 'check' ? records.filter(({ id }, at) => first < 0 || at < first || kept.has(id)) : records;
  const epochs = after.seen.epoch - epoch;
  const gone = records.length - expected.length;
  const isInVain = step === 'recover' && (epochs === 2 || epochs === 4);
  const ids = (all: readonly CompressionRecord[]) => all.map(({ id }) => id);
  book.check(
    'nothing-without-record',
    differenceOf(
      { records: ids(expected), isNewEpoch: gone > 0 },
      { records: ids(after.seen.records), isNewEpoch: epochs !== 0 && !isInVain },
    ),
  );
}

/** The most tokens that a check may leave above its target: half of the way back to where it would start again. */
function nearEnough(target: number, { contextWindow, trigger }: FuzzConfig): number {
  const start = trigger?.tokens ?? (trigger?.fraction ?? 1) * contextWindow;
  return Math.max(
    target,
    Math.min(contextWindow, target + Math.max(start - target, 0.08 * contextWindow) / 2),
  );
}

/** Tokens that are kept free for the answer unless the settings say otherwise. */
const usualReserve = 4096;

/** What must stay is cut only where all of it is more than the window, of which a fifth of the reserve stays free. */
function checkCuts(
  book: LawBook,
  { setup: { config, counter }, tools }: Subject,
  { seen, expected }: Standing,
  { id, reason, edits }: CompressionRecord,
): void {
  // A provider that refused a request says that less fits than was thought.
  if (reason === ofRefusal) return;
  const staying = expected.entries.filter(keeperOf(seen, reason !== 'by hand'));
  const cut = staying.find((entry) =>
    edits.some((edit) => edit.type === 'replace' && edit.message === entry.id),
  );
  if (cut === undefined) return;
  const shown = { ...config, reasoning: 'kept' as const };
  // Calls and results leave together: what stays holds the others of its exchange.
  const held = new Set(staying.map(({ origins }) => origins[0]?.exchange));
  const holding = expected.entries.filter(({ origins }) => held.has(origins[0]?.exchange));
  const messages = holding.reduce((sum, entry) => sum + entryTokens(entry, counter, shown), 0);
  const others =
    config.overhead.conversation + (tools === '' ? 0 : counters[counter].count(tools)) + spareTokens;
  const { contextWindow, reserve = usualReserve } = config;
  const fits = contextWindow - Math.min(reserve / 5, contextWindow / 10);
  const problem = `${id} cut "${cut.id}" though all ${messages + others} tokens that must stay fit into ${fits}`;
  book.holds('unread-stays', messages + others > fits, problem);
}

/** Checks that, after an overflow error, the view really does not fit and has no messages that could have left. */
function checkOverflow(book: LawBook, { config, counter }: Setup, { seen, expected, stats }: Standing): void {
  const isOver = decisiveTokens(stats) > stats.maxTokens;
  book.holds('overflow-honest', isOver, 'an overflow is reported though the view fits');
  if (counter === 'faulty') return;
  const keeps = keeperOf(seen);
  const kept = new Set(expected.entries.filter(keeps).map(({ origins }) => origins[0]?.exchange));
  const removable = expected.entries.filter(({ origins }) => !kept.has(origins[0]?.exchange));
  const isAll = removable.length === expected.entries.length;
  const tokens = removable
    .slice(isAll ? 1 : 0)
    .reduce((sum, entry) => sum + entryTokens(entry, counter, config), 0);
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
  const newestUser = newestUserIn(transcript);
  const task = taskIn(transcript);
  const newestAnswer = transcript.findLast(({ message }) => message.role === 'assistant');
  const calls = newestAnswer && partsIn(newestAnswer.message).some(({ type }) => type === 'tool-call');
  return ({ id, origins, merged }) => {
    const [origin] = origins;
    if (origin === undefined || merged !== undefined) return false;
    const { message, exchange } = origin;
    if (
      message.role === 'system' ||
      message.pinned === true ||
      message.priority === 'CRITICAL' ||
      pins.includes(id)
    )
      return true;
    if (id === newestUser?.id || id === task?.id) return true;
    if (newestAnswer === undefined) return keepsUnanswered;
    return exchange > newestAnswer.exchange || (calls === true && exchange === newestAnswer.exchange);
  };
}

function entryTokens(
  { origins, parts }: ExpectedEntry,
  counter: Setup['counter'],
  config: FuzzConfig,
): number {
  // Hidden parts take no room.
  const shown = config.reasoning === 'kept' ? parts : parts.filter(({ said }) => said.type !== 'reasoning');
  if (shown.length === 0) return 0;
  return tokensOf(
    { role: 'assistant', content: shown.map(partNow) as never, id: origins[0]?.id ?? '' },
    counters[counter],
    config.overhead.message,
  );
}
