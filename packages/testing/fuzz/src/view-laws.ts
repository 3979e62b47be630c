import type { Message, TranscriptMessage } from '@ctx/core';
import { type ExpectedEntry, type ExpectedView, expectedView } from './expected-view.js';
import type { LawBook, LawName } from './laws.js';
import { checkMessage, saysNothingButReasoning, standsFor } from './message-laws.js';
import { checkPairs } from './pair-laws.js';
import type { FuzzConfig } from './setup.js';
import type { Seen, Subject } from './subject.js';
import { newestUserIn, taskIn, unreadIn } from './what-stays.js';

/** A message of a view and the entry that it represents. */
interface Shown {
  readonly entry: ExpectedEntry;
  readonly message: Message;
}

/** Checks a view against the transcript and the records in force. Returns the expected view. */
export function checkView(
  book: LawBook,
  { setup: { config }, isRestored }: Subject,
  seen: Seen,
): ExpectedView {
  const { transcript, records } = seen;
  const expected = expectedView(transcript, records);
  const named = new Set(
    records.flatMap(({ edits }) =>
      edits.flatMap((edit) => (edit.type === 'replace' ? [edit.message] : edit.messages)),
    ),
  );
  const removed = removedIds(transcript, expected);
  book.each(
    'system-stays',
    transcript.filter(({ message }) => message.role === 'system'),
    ({ id }) => (named.has(id) ? `"${id}" was edited` : undefined),
  );
  book.each(
    'pinned-stays',
    transcript.filter(({ message }) => message.pinned === true || message.priority === 'CRITICAL'),
    ({ id }) => (named.has(id) ? `"${id}" was edited` : undefined),
  );
  book.each('pinned-stays', seen.pins, (id) =>
    removed.has(id) ? `"${id}" was pinned and has left` : undefined,
  );
  const stays = (law: LawName, entries: readonly (TranscriptMessage | undefined)[]) =>
    book.each(
      law,
      entries.filter((entry) => entry !== undefined),
      ({ id }) => (removed.has(id) ? `"${id}" has left` : changedFor(id, records)),
    );
  stays('newest-user-stays', [newestUserIn(transcript)]);
  stays('task-stays', [taskIn(transcript)]);
  stays('unread-stays', unreadIn(transcript));
  checkContents(book, expected);
  if (seen.view !== undefined) checkSent(book, seen.view, expected, seen, config, isRestored);
  return expected;
}

/** The ids of messages that were dropped or are part of a merged message. */
function removedIds(transcript: readonly TranscriptMessage[], { entries }: ExpectedView): Set<string> {
  const alone = new Set(entries.map(({ id }) => id));
  return new Set(transcript.filter(({ id }) => !alone.has(id)).map(({ id }) => id));
}

/** What is wrong if a record changed the words of a message that stays: only a record that says why may, and only to shorten it. */
function changedFor(id: string, records: Seen['records']): string | undefined {
  for (const { id: record, edits, relaxed } of records) {
    const changes = edits.filter((edit) =>
      edit.type === 'replace' ? edit.message === id : edit.messages.includes(id),
    );
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
  book: LawBook,
  view: readonly Message[],
  expected: ExpectedView,
  { transcript }: Seen,
  config: FuzzConfig,
  isRestored: boolean,
): void {
  const shownTags = new Set(view.map(({ metadata }) => metadata?.tag));
  const shows = (entry: TranscriptMessage) =>
    view.includes(entry.message) ||
    (entry.message.metadata !== undefined && shownTags.has(entry.message.metadata.tag));
  book.each('content-not-empty', view, (message) =>
    message.content.length === 0 ? 'a message has no content' : undefined,
  );
  if (config.leadingUser) checkLeading(book, view, transcript);
  checkPairs(book, view, transcript);
  const kept = transcript.filter(({ message }) => message.role === 'system');
  book.each('system-stays', kept, ({ id, message }) =>
    view.includes(message) ? undefined : `"${id}" is not sent`,
  );
  const pinned = transcript.filter(({ message }) => message.pinned === true && message.role === 'user');
  book.each('pinned-stays', pinned, ({ id, message }) =>
    view.includes(message) ? undefined : `"${id}" is not sent as it was said`,
  );
  const newest = newestUserIn(transcript);
  if (newest !== undefined)
    book.check('newest-user-stays', shows(newest) ? undefined : `"${newest.id}" is not sent`);
  const task = taskIn(transcript);
  if (task !== undefined) book.check('task-stays', shows(task) ? undefined : `"${task.id}" is not sent`);
  const unheard = unreadIn(transcript).filter(
    ({ message }) => message.role === 'user' && message.metadata !== undefined,
  );
  book.each('unread-stays', unheard, (entry) => (shows(entry) ? undefined : `"${entry.id}" is not sent`));
  const originals = new Set(transcript.map(({ message }) => message));
  const markers = view.filter(
    (message) =>
      message.role === 'user' &&
      message.summary === undefined &&
      message.metadata === undefined &&
      !originals.has(message),
  );
  checkMarker(book, markers, expected, config);
  const shown = align(
    book,
    view.filter((message) => !markers.includes(message)),
    expected,
    config,
  );
  for (const { entry, message } of shown) checkMessage(book, entry, message, config, isRestored);
}

function checkMarker(
  book: LawBook,
  markers: readonly Message[],
  { dropped }: ExpectedView,
  { marker, leadingUser }: FuzzConfig,
): void {
  const wanted = marker !== false && dropped.size > 0;
  if (!wanted && markers.length === 0) return;
  if (markers.length !== 1) {
    book.check('marker', `${markers.length} lines stand for what left`);
    return;
  }
  if (!wanted && !leadingUser) {
    book.check('marker', 'a line stands for what left though none is wanted');
    return;
  }
  const text = String(markers[0]?.content);
  const template =
    typeof marker === 'string' ? marker : '[{count} earlier messages were left out to save context]';
  const due =
    dropped.size === 0
      ? '[The conversation goes on from here]'
      : template.split('{count}').join(String(dropped.size));
  book.check(
    'marker',
    text === due ? undefined : `the line says ${JSON.stringify(text)} in place of ${JSON.stringify(due)}`,
  );
}

/** Assigns each sent message to the next entry. An entry may be missing only if it has nothing but reasoning, which is hidden. */
function align(
  book: LawBook,
  sent: readonly Message[],
  { entries }: ExpectedView,
  { reasoning }: FuzzConfig,
): Shown[] {
  const shown: Shown[] = [];
  let at = 0;
  for (const entry of entries) {
    const message = sent[at];
    if (message !== undefined && standsFor(message, entry)) {
      shown.push({ entry, message });
      at += 1;
    } else {
      const isSilent = reasoning !== 'kept' && saysNothingButReasoning(entry);
      const isElsewhere = sent.some((other) => standsFor(other, entry));
      if (!isSilent)
        book.check(
          isElsewhere ? 'order' : 'accounted',
          `"${entry.id}" is ${isElsewhere ? 'at another place' : 'neither shown nor named by an edit'}`,
        );
    }
  }
  book.check('order', undefined);
  const extra = sent[at];
  book.check(
    'accounted',
    extra && `the view has a message that it should not: ${JSON.stringify(extra).slice(0, 200)}`,
  );
  return shown;
}

function checkLeading(
  book: LawBook,
  view: readonly Message[],
  transcript: readonly TranscriptMessage[],
): void {
  const first = view.find(({ role }) => role !== 'system');
  if (first === undefined) return;
  book.check(
    'leading-user',
    first.role === 'user' || transcript.length === 0 ? undefined : `the ${first.role} opens`,
  );
}
