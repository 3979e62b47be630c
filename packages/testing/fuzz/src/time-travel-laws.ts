import { isDeepStrictEqual } from 'node:util';
import type { LawBook } from './laws.js';
import type { Operation } from './operations.js';
import type { Seen, Subject } from './subject.js';

/** Checks the state after undo and rewind. */
export function checkTimeTravel(
  book: LawBook,
  subject: Subject,
  operation: Operation,
  before: Seen,
  after: Seen,
): void {
  const idsOf = (seen: Seen) => seen.records.map(({ id }) => id);
  const gone = idsOf(before).filter((id) => !idsOf(after).includes(id));
  if (operation.do === 'undo') {
    book.check('undo', gone.length > 0 ? undefined : 'no record was taken back');
    book.check(
      'undo',
      after.transcript.length === before.transcript.length ? undefined : 'messages went with a record',
    );
    checkViewBefore(book, subject, after);
    return;
  }
  subject.views.clear();
  const due = 'which' in operation ? (operation.which % before.transcript.length) + 1 : 0;
  book.check(
    'rewind',
    after.transcript.length === due
      ? undefined
      : `${after.transcript.length} messages stay in place of ${due}`,
  );
  const { length } = after.transcript;
  const isStart = after.transcript.every(
    (entry, at) => entry.message === before.transcript[at]?.message && entry.id === before.transcript[at]?.id,
  );
  book.check('rewind', isStart ? undefined : 'what stays is not the beginning of what was there');
  const staying = new Set(idsOf(after));
  const wrong = before.records.find(({ id, transcriptLength }) =>
    staying.has(id) ? transcriptLength > length : transcriptLength <= length && !before.tooOld.includes(id),
  );
  book.check('rewind', wrong && `${wrong.id} was made at ${wrong.transcriptLength} messages; ${length} stay`);
  const ids = new Set(after.transcript.map(({ id }) => id));
  book.check(
    'rewind',
    after.pins.every((id) => ids.has(id)) ? undefined : 'a message that is gone is pinned',
  );
}

/** Checks that the view begins with an earlier view if it has the same records again. */
function checkViewBefore(book: LawBook, subject: Subject, after: Seen): void {
  const key = viewKey(after);
  const then = subject.views.get(key);
  if (then?.view === undefined || after.view === undefined || then.tools !== subject.tools) return;
  const { view } = then;
  const shown = after.view;
  const changed = view.findIndex(
    (message, at) => message !== shown[at] && !isDeepStrictEqual(message, shown[at]),
  );
  book.check(
    'undo',
    changed < 0 ? undefined : `message ${changed} of the view is another than before the record`,
  );
}

/** Remembers a view by its records and system prompts. */
export function rememberView(subject: Subject, seen: Seen): void {
  if (seen.view === undefined) return;
  const known = subject.views.get(viewKey(seen));
  const isLonger =
    known === undefined || (known.view?.length ?? 0) <= seen.view.length || !seen.transcript[0];
  if (isLonger || known.tools !== subject.tools)
    subject.views.set(viewKey(seen), { view: seen.view, tools: subject.tools });
}

/** A key of the records in force, the system prompts, and the messages that the last rewind left. */
function viewKey({ records, transcript }: Seen): string {
  const systems = transcript.filter(({ message }) => message.role === 'system').map(({ id }) => id);
  return `${records.map(({ id }) => id).join()} ${systems.join()}`;
}
