import { type Average, averageOf } from '../averages.js';
import type { Table } from '../table-cells.js';
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
  const kinds = new Map(results.map((result) => [`${result.source}, ${formNames[result.form]}`, result]));
  return [...kinds].map(([title, { source, form }]) => {
    const rows = results.filter((one) => one.source === source && one.form === form);
    const shares = [...new Set(rows.map(({ share }) => share))];
    const cell = (candidate: string, share: number, pick: (result: ChatResult) => number | undefined) =>
      figure(
        averageOf(
          rows.flatMap((one) => {
            const value = one.candidate === candidate && one.share === share ? pick(one) : undefined;
            return value === undefined ? [] : [{ source, session: one.chat, value }];
          }),
        ),
      );
    return {
      title: `Questions about chats: ${title}`,
      columns: [
        'candidate',
        ...figures.flatMap(([name]) => shares.map((share) => `${name} at ${share * 100} %`)),
      ],
      rows: [...new Set(rows.map(({ candidate }) => candidate))].map((candidate) => [
        candidate,
        ...figures.flatMap(([, pick]) => shares.map((share) => cell(candidate, share, pick))),
      ]),
    };
  });
}

function figure(average: Average | undefined): string {
  return average === undefined ? '–' : `${average.mean.toFixed(1)} ± ${average.error.toFixed(1)}`;
}
