import type { ExamView } from './exam-candidates.js';
import type { ExamSession } from './exam-session.js';
import { readable } from './exam-session.js';
import type { ExamPoint } from './exam-table.js';

/** Words of at least three characters, with what paths and names hold together. */
const word = /[\p{L}\p{N}_$@][\p{L}\p{N}_$@.:/-]{2,}/gu;
/** Characters at the end of a sentence, not of a name. */
const ends = '.:/-';
/** Words that every answer has: they tell nothing. */
const common = new Set(
  'and are all any been before because both but can each file files first for from had has have into its last line lines not now only one path same test tests than that the then there they this two was were what when where which with'.split(
    ' ',
  ),
);

/**
 * Without a reader: the share of a key's telling words that a view holds, of each question but the one about the next step. A word is
 * telling if the question does not give it away and the messages that the key is from have it. It goes with what readers find, but
 * prefers words that stay to a good summary.
 */
export function evidencePoints(session: ExamSession, views: readonly ExamView[]): ExamPoint[] {
  const asked = session.questions.flatMap(({ kind, question, key, where }) => {
    const given = new Set(wordsOf(question));
    const source = plain(where.flatMap((at) => session.messages[at] ?? []));
    const telling = wordsOf(key).filter((one) => !given.has(one) && source.includes(one));
    return kind === 'next' || telling.length === 0 ? [] : [{ kind, telling }];
  });
  return views.flatMap(({ candidate, budget, messages }) => {
    const text = plain(messages);
    return asked.map(({ kind, telling }): ExamPoint => {
      const held = telling.filter((one) => text.includes(one)).length;
      return { candidate, budget, session: session.name, kind, value: (100 * held) / telling.length };
    });
  });
}

function wordsOf(text: string): string[] {
  const words = (text.match(word) ?? []).map(withoutEnd);
  return [...new Set(words)].filter((one) => one.length >= 3 && !common.has(one.toLowerCase()));
}

function withoutEnd(text: string): string {
  let end = text.length;
  while (ends.includes(text[end - 1] ?? ' ')) end -= 1;
  return text.slice(0, end);
}

/** Readable, with what JSON escapes in arguments as it was said. */
const plain = (messages: Parameters<typeof readable>[0]) =>
  readable(messages).replaceAll('\\n', '\n').replaceAll('\\"', '"');
