import type { Message, TranscriptMessage } from '@ctx/core';
import { sentProblems } from '@ctx/testing';
import { type ExpectedEntry, type ExpectedView, expectedView, namedIn } from './expected-view.js';
import type { LawBook, LawName } from './laws.js';
import { checkMessage, saysNothingButReasoning, standsFor } from './message-laws.js';
import type { Seen, Subject } from './subject.js';
import { newestUserIn, taskIn, unreadIn } from './what-stays.js';

/** Checks a view against the transcript and the records in force. Returns the expected view. */
export function checkView(subject: Subject, seen: Seen): ExpectedView {
  const expected = expectedView(seen.transcript, seen.records);
  checkStaying(subject.book, seen, expected);
  checkContents(subject.book, expected);
  if (seen.view !== undefined) checkSent(subject, seen.view, expected, seen.transcript);
  return expected;
}

/** What has to stay is there, and is sent if there is a view. */
function checkStaying(book: LawBook, seen: Seen, { entries }: ExpectedView): void {
  const { transcript, records, pins, view } = seen;
  const named = new Set(records.flatMap(({ edits }) => edits).flatMap(namedIn));
  const alone = new Set(entries.map(({ id }) => id));
  const tags = new Set(view?.map(({ metadata }) => metadata?.tag));
  type Problem = (entry: TranscriptMessage) => string | undefined;
  const there: Problem = ({ id }) => (alone.has(id) ? undefined : `"${id}" has left`);
  const untouched: Problem = ({ id, message }) => {
    if (named.has(id)) return `"${id}" was edited`;
    const isSame = message.role === 'system' || (message.pinned === true && message.role === 'user');
    return isSame && view?.includes(message) === false ? `"${id}" is not sent as it was said` : undefined;
  };
  const said: Problem = (entry) => {
    const { id, message } = entry;
    const isSent = view === undefined || view.includes(message) || tags.has(message.metadata?.tag);
    const unsent = message.role === 'user' && !isSent ? `"${id}" is not sent` : undefined;
    return there(entry) ?? changedFor(id, records) ?? unsent;
  };
  const check = (law: LawName, due: readonly (TranscriptMessage | undefined)[], problemOf: Problem) =>
    book.each(
      law,
      due.filter((entry) => entry !== undefined),
      problemOf,
    );
  const those = (isOne: (message: Message) => boolean) => transcript.filter(({ message }) => isOne(message));
  check(
    'system-stays',
    those(({ role }) => role === 'system'),
    untouched,
  );
  const isPinned = ({ pinned, priority }: Message) => pinned === true || priority === 'CRITICAL';
  check('pinned-stays', those(isPinned), untouched);
  const pinned = transcript.filter(({ id }) => pins.includes(id));
  check('pinned-stays', pinned, there);
  check('newest-user-stays', [newestUserIn(transcript)], said);
  check('task-stays', [taskIn(transcript)], said);
  check('unread-stays', unreadIn(transcript), said);
}

/** What is wrong if a record changed the words of a message that stays: only a record that says why may, and only to shorten it. */
function changedFor(id: string, records: Seen['records']): string | undefined {
  for (const { id: record, edits, relaxed } of records) {
    const changes = edits.filter((edit) => namedIn(edit).includes(id));
    if (relaxed === undefined && changes.length > 0) return `${record} changed "${id}" though there was room`;
    if (changes.some(({ type }) => type !== 'replace')) return `${record} took something of "${id}" away`;
  }
  return undefined;
}

/** No message stands for what was said before and after a message of the user's that is still sent. */
function checkContents(book: LawBook, { entries }: ExpectedView): void {
  const asked = entries
    .filter(({ merged }) => merged === undefined)
    .flatMap(({ origins }) => origins)
    .filter(({ message }) => message.role === 'user' && message.summary !== true);
  const merged = entries.filter(({ origins }) => origins.length > 1);
  book.each('order', merged, ({ id, origins }) => {
    const positions = origins.map(({ index }) => index);
    const amid = asked.find(({ index }) => index > Math.min(...positions) && index < Math.max(...positions));
    return amid && `"${id}" stands for what was said before and after "${amid.id}" of the user`;
  });
}

function checkSent(
  subject: Subject,
  view: readonly Message[],
  expected: ExpectedView,
  transcript: Seen['transcript'],
): void {
  const said = transcript.map(({ message }) => message);
  const leadingUser = subject.setup.config.leadingUser && !isOpenedByProvider(view);
  subject.book.check('sendable', sentProblems(view, said, { leadingUser })[0]);
  const isNobodys = ({ role, summary, metadata }: Message) =>
    role === 'user' && summary === undefined && metadata === undefined;
  const markers = view.filter((message) => isNobodys(message) && !said.includes(message));
  checkMarker(subject, markers, expected);
  const sent = view.filter((message) => !markers.includes(message));
  for (const [entry, message] of align(subject, sent, expected)) checkMessage(subject, entry, message);
}

function checkMarker({ book, setup }: Subject, markers: readonly Message[], { dropped }: ExpectedView): void {
  const { marker, leadingUser } = setup.config;
  const wanted = marker !== false && dropped.size > 0;
  if (!wanted && markers.length === 0) return;
  const template =
    typeof marker === 'string' ? marker : '[{count} earlier messages were left out to save context]';
  const opening = '[The conversation goes on from here]';
  const due = dropped.size === 0 ? opening : template.split('{count}').join(String(dropped.size));
  // With an archive, as there is one for arrivals, the usual marker says where what left can be read.
  const texts = JSON.stringify(markers.map(({ content }) => content)).replace(
    /: (?:#m\d+(?:-#m\d+)?(?:, )?)+\]/,
    ']',
  );
  const isRight = texts === JSON.stringify([due]) && (wanted || leadingUser);
  book.holds('marker', isRight, `for what left stand ${texts} in place of ${JSON.stringify(due)}`);
}

/** Assigns each sent message to the next entry. An entry may be missing only if it has nothing but reasoning, which is hidden. */
function align({ book, setup }: Subject, sent: readonly Message[], { entries }: ExpectedView) {
  const shown: [ExpectedEntry, Message][] = [];
  for (const entry of entries) {
    const message = sent[shown.length];
    if (message !== undefined && standsFor(message, entry)) shown.push([entry, message]);
    else if (setup.config.reasoning === 'kept' || !saysNothingButReasoning(entry)) {
      const isElsewhere = sent.some((other) => standsFor(other, entry));
      if (isElsewhere) book.check('order', `"${entry.id}" is at another place`);
      book.check('accounted', `"${entry.id}" is neither shown nor named by an edit`);
    }
  }
  book.check('order', undefined);
  const extra = sent[shown.length] && JSON.stringify(sent[shown.length]).slice(0, 200);
  book.check('accounted', extra && `the view has a message that it should not: ${extra}`);
  return shown;
}

/** A summary that only its provider can read may open a request, whoever said it. */
function isOpenedByProvider(view: readonly Message[]): boolean {
  const first = view.find(({ role }) => role !== 'system');
  return first?.summary === true && typeof first.content !== 'string' && first.content[0]?.type === 'opaque';
}
