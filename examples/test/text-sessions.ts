import { writeFileSync } from 'node:fs';
import type { Message } from '@ctx/core';
import * as sessions from '@ctx/sessions';
import { rejected } from './text-rejected.js';

const session =
  (folder: string, name: string, recordsOf: (text: string) => readonly object[]) => (text: string) => {
    const path = `${folder}/${name}.jsonl`;
    writeFileSync(
      path,
      recordsOf(text)
        .map((record) => JSON.stringify(record))
        .join('\n'),
    );
    return rejected(() => sessions.readSession(path, { lenient: true }));
  };
/** Many short records where the others are one long one. */
const many = (text: string, recordOf: (at: number) => object) =>
  Array.from({ length: Math.ceil(text.length / 100) }, (_, at) => recordOf(at));

const said = { type: 'user', sessionId: 's', message: { role: 'user', content: 'a' } };

/** What the readers of sessions do with a text. */
export function sessionFunctions(
  folder: string,
  messagesWith: (text: string) => readonly Message[],
): Readonly<Record<string, (text: string) => unknown>> {
  return {
    'sessions writeSession': (text) =>
      sessions.sessionFormats.map((format) =>
        rejected(async () => sessions.writeSession({ id: 'written', format, messages: messagesWith(text) })),
      ),
    'sessions readSession of many compactions': session(folder, 'compactions', (text) =>
      many(text, (at) => ({ ...said, uuid: `u${at}`, isCompactSummary: at % 2 === 0 })),
    ),
    'sessions readSession of one record': session(folder, 'one', (text) => [
      { role: 'user', content: text },
      { role: 'assistant', content: text },
    ]),
    'sessions readSession of a text': (text) => {
      writeFileSync(`${folder}/text.jsonl`, `${text}\n${text}`);
      return rejected(() => sessions.readSession(`${folder}/text.jsonl`, { lenient: true }));
    },
    'sessions readSession of many kinds': session(folder, 'kinds', (text) => [
      { type: 'user', uuid: 'u', sessionId: 's', message: { role: 'user', content: 'a' } },
      ...many(text, (at) => ({ type: `kind-${at}`, sessionId: 's' })),
    ]),
    'sessions readSession of one message in many lines': session(folder, 'lines', (text) =>
      many(text, (at) => ({
        type: 'assistant',
        uuid: `u${at}`,
        sessionId: 's',
        message: {
          role: 'assistant',
          id: 'same',
          content: [{ type: 'tool_use', id: `c${at}`, name: 'read', input: { path: 'a' } }],
        },
      })),
    ),
    'sessions readSession of many messages': session(folder, 'messages', (text) =>
      many(text, (at) => ({
        role: at % 2 === 0 ? 'user' : 'assistant',
        content: text.slice(at, at + 50) || 'x',
      })),
    ),
  };
}
