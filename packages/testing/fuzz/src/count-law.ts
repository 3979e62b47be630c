import { counters } from './counter.js';
import { tokensOf } from './independent-count.js';
import type { LawBook } from './laws.js';
import type { Seen, Subject } from './subject.js';

/** Compares the manager's count for the next request with an independent count. */
export function checkCount(book: LawBook, subject: Subject, seen: Seen): void {
  const { counter, config } = subject.setup;
  if (counter === 'faulty' || seen.view === undefined) return;
  const messages = seen.view.reduce(
    (sum, message) => sum + tokensOf(message, counters[counter], config.overhead.message),
    0,
  );
  const tools = subject.tools === '' ? 0 : counters[counter].count(subject.tools);
  const due = messages + tools + config.overhead.conversation;
  const { countedTokens } = subject.manager.stats();
  book.check(
    'recount',
    countedTokens === due ? undefined : `${countedTokens} tokens are said to be there, and there are ${due}`,
  );
}
