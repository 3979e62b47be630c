import { isDeepStrictEqual } from 'node:util';
import type { Message } from '@ctx/core';
import { expectedView, partsIn } from './expected-view.js';
import type { Operation } from './operations.js';
import type { Seen, Subject } from './subject.js';

/** Checks the laws between one look at a manager and the next. Call it with every look. */
export function checkMemory(subject: Subject, seen: Seen): void {
  const { book, last, setup, tools } = subject;
  const { view, epoch } = seen;
  if (last?.view !== undefined && view !== undefined && last.epoch === epoch) {
    const changed = last.view.findIndex(
      (message, at) =>
        message !== view[at] && !isMadeAgain(message, view[at]) && !isArrival(subject, message, view[at]),
    );
    const problem = `message ${changed} of the view became another, or is gone, within epoch ${epoch}`;
    book.holds('append-only', changed < 0, problem);
  }
  const isWhole = last?.records.length === 0 && seen.records.length === 0;
  if (isWhole && view !== undefined && setup.config.reasoning === 'kept') {
    const said = seen.transcript.map(({ message }) => message);
    const shown = view.filter((message) => message.metadata !== undefined || message.role !== 'user');
    const isSame = shown.length === said.length && shown.every((message, at) => message === said[at]);
    book.holds('same-object', isSame, 'the view is not the transcript though nothing was compressed');
  }
  if (setup.config.reasoning === 'bound' && view !== undefined) checkBound(subject, seen, view);
  subject.last = view === undefined && last?.epoch === epoch ? { ...seen, view: last.view } : seen;
  if (view !== undefined && !setup.tells) subject.asked = { view, tools };
}

/** Whether a line that nobody said, such as the opening, was made again with the same text. */
function isMadeAgain(seen: Message, now: Message | undefined): boolean {
  return seen.metadata === undefined && isDeepStrictEqual(seen, now);
}

/** Whether a message that was seen, but never sent, was shortened before it is. */
function isArrival({ asked, manager }: Subject, seen: Message, now: Message | undefined): boolean {
  if (asked?.view.includes(seen) === true) return false;
  return manager.transcript.some(({ message, excerpt }) => message === seen && excerpt === now);
}

/** Remembers the request that a message answers: the one that was sent last, or would have been. */
export function rememberPrefix(subject: Subject, id: string, message: Message): void {
  if (message.role !== 'assistant') return;
  const { asked, manager } = subject;
  if (asked !== undefined && partsIn(message).some(({ type }) => type === 'reasoning'))
    subject.saidBehind.set(id, { prefix: asked.view, tools: asked.tools, epoch: manager.epoch });
  subject.asked = undefined;
}

function checkBound(subject: Subject, { transcript, records, epoch }: Seen, view: readonly Message[]): void {
  const { book, saidBehind } = subject;
  const tags = new Map(transcript.map(({ id, message }) => [message.metadata?.tag, id]));
  const { entries } = expectedView(transcript, records);
  const edited = entries.filter(({ parts }) => parts.some(({ text }) => text !== undefined));
  view.forEach((message, at) => {
    const id = tags.get(message.metadata?.tag) ?? '';
    const said = saidBehind.get(id);
    if (said === undefined) return;
    const shows = partsIn(message).some(({ type }) => type === 'reasoning');
    const isSame = said.tools === subject.tools && samePrefix(said.prefix, view.slice(0, at), view);
    if (shows)
      book.check('reasoning-bound', isSame ? undefined : `"${id}" shows reasoning behind another prefix`);
    else if (isSame && said.epoch === epoch && edited.every((entry) => entry.id !== id))
      book.check('reasoning-bound', `"${id}" hides reasoning though nothing before it changed`);
  });
}

/** Whether two prefixes are the same to a provider, which puts every system prompt first. */
function samePrefix(then: readonly Message[], now: readonly Message[], view: readonly Message[]): boolean {
  const isSystem = ({ role }: Message) => role === 'system';
  const isSpoken = (message: Message) => !isSystem(message);
  return (
    isDeepStrictEqual(then.filter(isSystem), view.filter(isSystem)) &&
    isDeepStrictEqual(then.filter(isSpoken), now.filter(isSpoken))
  );
}

/** Checks the state after undo and rewind. */
export function checkTimeTravel(subject: Subject, operation: Operation, before: Seen, after: Seen): void {
  const { book } = subject;
  const idsOf = (seen: Seen) => seen.records.map(({ id }) => id);
  const gone = idsOf(before).filter((id) => !idsOf(after).includes(id));
  if (operation.do === 'undo') {
    book.holds('undo', gone.length > 0, 'no record was taken back');
    const isWhole = after.transcript.length === before.transcript.length;
    book.holds('undo', isWhole, 'messages went with a record');
    checkViewBefore(subject, after);
    return;
  }
  subject.views.clear();
  const due = 'which' in operation ? (operation.which % before.transcript.length) + 1 : 0;
  const { length } = after.transcript;
  const isStart = after.transcript.every(
    ({ message, id }, at) => message === before.transcript[at]?.message && id === before.transcript[at]?.id,
  );
  const staying = new Set(idsOf(after));
  const wrong = before.records.find(({ id, transcriptLength }) =>
    staying.has(id) ? transcriptLength > length : transcriptLength <= length && !before.tooOld.includes(id),
  );
  const ids = after.transcript.map(({ id }) => id);
  const isKept = after.pins.every((id) => ids.includes(id));
  const late = `${wrong?.id} was made at ${wrong?.transcriptLength} messages; ${length} stay`;
  book.holds('rewind', length === due, `${length} messages stay in place of ${due}`);
  book.holds('rewind', isStart, 'what stays is not the beginning of what was there');
  book.holds('rewind', wrong === undefined, late);
  book.holds('rewind', isKept, 'a message that is gone is pinned');
}

/** Checks that the view begins with an earlier view if it has the same records again. */
function checkViewBefore({ book, views, tools }: Subject, after: Seen): void {
  const then = views.get(viewKey(after));
  const { view } = after;
  if (then === undefined || view === undefined || then.tools !== tools) return;
  const changed = then.view.findIndex((message, at) => !isDeepStrictEqual(message, view[at]));
  book.holds('undo', changed < 0, `message ${changed} of the view is another than before the record`);
}

/** Remembers a view by its records and system prompts. */
export function rememberView({ views, tools }: Subject, seen: Seen): void {
  const { view, transcript } = seen;
  if (view === undefined) return;
  const known = views.get(viewKey(seen));
  const isLonger = known === undefined || known.view.length <= view.length || transcript.length === 0;
  if (isLonger || known.tools !== tools) views.set(viewKey(seen), { view, tools });
}

/** A key of the records in force, the system prompts, what was shortened at arrival, and the messages that the last rewind left. */
function viewKey({ records, transcript }: Seen): string {
  const systems = transcript.filter(({ message }) => message.role === 'system').map(({ id }) => id);
  const excerpts = transcript.filter(({ excerpt }) => excerpt !== undefined).map(({ id }) => id);
  return `${records.map(({ id }) => id).join()} ${systems.join()} ${excerpts.join()}`;
}
