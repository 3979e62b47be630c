import { isDeepStrictEqual } from 'node:util';
import type { Message, Part, TranscriptMessage } from '@ctx/core';
import { sentProblems } from '@ctx/testing';
import {
  type ExpectedEntry,
  type ExpectedPart,
  type ExpectedView,
  expectedView,
  namedIn,
  partNow,
  partsIn,
} from './expected-view.js';
import type { LawBook, LawName } from './laws.js';
import type { FuzzConfig } from './setup.js';
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

/** True if a message of the view is the one that an entry expects, whatever was cut out of it. */
function standsFor(message: Message, { origins, merged, parts }: ExpectedEntry): boolean {
  if (merged !== undefined)
    return message.role === 'user' && message.summary === true && message.metadata === undefined;
  const said = origins[0]?.message as Message;
  if (message === said) return true;
  if (message.role !== said.role) return false;
  if (said.metadata !== undefined || message.metadata !== undefined)
    return message.metadata?.tag === said.metadata?.tag;
  const calls = parts.map(({ said: part }) => ('toolCallId' in part ? part.toolCallId : ''));
  return partsIn(message).every((part) => 'toolCallId' in part && calls.includes(part.toolCallId));
}

/** True for an entry that may be missing, because its reasoning is hidden. */
function saysNothingButReasoning({ origins, merged, parts }: ExpectedEntry): boolean {
  if (merged !== undefined || origins[0]?.message.role !== 'assistant') return false;
  const rest = parts.filter(({ said }) => said.type !== 'reasoning');
  return (
    rest.length < parts.length &&
    rest.every(({ said, text }) => said.type === 'text' && (text ?? said.text).trim() === '')
  );
}

/** Checks that a message of the view says what its entry expects, and that an untouched one is the very object. */
function checkMessage({ book, setup, isRestored }: Subject, entry: ExpectedEntry, message: Message): void {
  const { id, origins, merged, parts } = entry;
  if (merged !== undefined) {
    book.holds('edited-as-recorded', message.content === merged, 'a summary says something else');
    return;
  }
  const original = origins[0]?.message as Message;
  const isEdited = parts.length !== partsIn(original).length || parts.some(({ text }) => text !== undefined);
  const thinks = message.role === 'assistant' && parts.some(({ said }) => said.type === 'reasoning');
  const shows = partsIn(message).some(({ type }) => type === 'reasoning');
  if (thinks) book.check('reasoning', reasoningProblem(shows, isEdited, setup.config.reasoning));
  if (!isEdited && (!thinks || shows)) {
    book.holds('same-object', message === original, `"${id}" is another object`);
    return;
  }
  // What is pinned and holds only a thought is said as text.
  if (!shows && saysNothingButReasoning(entry)) {
    const thoughts = parts.flatMap(({ said }) => (said.type === 'reasoning' ? [said.text] : []));
    const texts = partsIn(message).map((part) => (part.type === 'text' ? part.text : undefined));
    const due = thoughts.filter((text) => text.trim() !== '');
    book.holds('pinned-stays', isDeepStrictEqual(texts, due), `"${id}" does not say its thought`);
    return;
  }
  const due = shows ? parts : parts.filter(({ said }) => said.type !== 'reasoning');
  const sent = partsIn(message);
  if (sent.length !== due.length)
    book.check('edited-as-recorded', `"${id}" has ${sent.length} parts in place of ${due.length}`);
  const mayBeEqual = isRestored || typeof original.content === 'string';
  due.forEach((part, at) => {
    const law = part.text === undefined ? 'same-object' : 'edited-as-recorded';
    const isDue = isAsDue(sent[at] as Part, part, mayBeEqual);
    book.check(law, isDue ? undefined : `part ${at} of "${id}" is ${JSON.stringify(sent[at]).slice(0, 200)}`);
  });
}

function reasoningProblem(
  shows: boolean,
  isEdited: boolean,
  mode: FuzzConfig['reasoning'],
): string | undefined {
  if (mode === 'dropped') return shows ? 'reasoning is sent though none is to be' : undefined;
  if (mode === 'kept') return shows ? undefined : 'reasoning is hidden though all is kept';
  return shows && isEdited ? 'reasoning of a message that was edited is sent' : undefined;
}

function isAsDue(sent: Part, { said, text }: ExpectedPart, mayBeEqual: boolean): boolean {
  if (text === undefined) return mayBeEqual ? isDeepStrictEqual(sent, said) : sent === said;
  if (said.type !== 'tool-result') return isDeepStrictEqual(sent, partNow({ said, text }));
  const isSame =
    sent.type === 'tool-result' && sent.toolCallId === said.toolCallId && sent.isError === said.isError;
  return isSame && outputHolds(sent.output, text);
}

function outputHolds(output: Extract<Part, { type: 'tool-result' }>['output'], text: string): boolean {
  if (typeof output === 'string') return output === text;
  if (output.type === 'content') return isDeepStrictEqual(output.value, [{ type: 'text', text }]);
  return output.value === text || isDeepStrictEqual(output.value, jsonOf(text));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
