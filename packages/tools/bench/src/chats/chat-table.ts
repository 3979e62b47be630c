import { averaged, grouped } from '../averages.js';
import { percent, type Table, valuesOf, withError } from '../table-cells.js';
import type { ChatForm } from './chat.js';
import type { ChatResult } from './measure-chats.js';

const formNames: Readonly<Record<ChatForm, string>> = {
  lines: 'each turn a user message with its name',
  roles: 'as user and assistant',
};

const figures = [
  ['all evidence', ({ answerable }: ChatResult) => answerable],
  ['evidence turns', ({ evidence }: ChatResult) => evidence],
  ['answer’s words', ({ answerWords }: ChatResult) => answerWords],
] as const;

/** A table for each collection of chats and each form of their messages, with a row for each candidate. */
export function chatTables(results: readonly ChatResult[]): Table[] {
  const kinds = grouped(results, ({ source, form }) => `${source}, ${formNames[form]}`);
  return [...kinds].map(([title, rows]) => {
    const shares = valuesOf(rows, ({ share }) => share);
    return {
      title: `Questions about chats: ${title}`,
      columns: [
        'candidate',
        ...figures.flatMap(([name]) => shares.map((share) => `${name} at ${percent(share)}`)),
      ],
      rows: [...grouped(rows, ({ candidate }) => candidate)].map(([candidate, own]) => [
        candidate,
        ...figures.flatMap(([, pick]) =>
          shares.map((share) =>
            withError(
              averaged(
                own.filter((one) => one.share === share),
                pick,
              ),
            ),
          ),
        ),
      ]),
    };
  });
}
