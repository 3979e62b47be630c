import { isDeepStrictEqual } from 'node:util';
import type { Operation } from './operations.js';
import type { Seen, Subject } from './subject.js';

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
