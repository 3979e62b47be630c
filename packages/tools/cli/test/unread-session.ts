import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './run-ctx.js';

const numbered = (what: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${what} ${at + 1} of the long list.`).join(' ');
export const task = numbered('Requirement', 120);
export const newestResult = numbered('Finding', 200);

export const oldResult = (at: number) => numbered(`Part ${at}, line`, 100);

/** A task, ten reads of files that were answered, and a result that the model has not read. */
export function unreadSession(): string {
  const read = (at: number, content: string) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: `call${at}`, type: 'function', function: { name: 'read', arguments: `{"path":"part-${at}"}` } },
      ],
    },
    { role: 'tool', tool_call_id: `call${at}`, content },
  ];
  const older = Array.from({ length: 10 }, (_, at) => read(at, oldResult(at)));
  const messages = [{ role: 'user', content: task }, ...older.flat(), ...read(10, newestResult)];
  const path = join(temporaryFolder(), 'unread.json');
  writeFileSync(path, JSON.stringify({ model: 'gpt-5', messages }));
  return path;
}
