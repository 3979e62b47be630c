import { type ContextManager, type Message, messageText, seededRandom } from '@ctx/core';
import { createContextManager } from '../src/index.js';

const wish = 'Always answer in the words of a sailor, whatever happens to the ship.';
const lines = Array.from({ length: 400 }, (_, at) => `step ${at} of the work on part${at}.ts went well`);
const random = seededRandom(1);
const text = (length: number) => {
  let written = '';
  while (written.length < length) written += `${lines[Math.floor(random() * lines.length)]}\n`;
  return written;
};

/** One round: a call, its result, what the assistant makes of it and what the user says. */
function round(number: number): Message[] {
  const id = `call-${number}`;
  const input = { path: `src/file-${number % 30}.ts`, offset: number };
  return [
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: id, toolName: 'read', input }],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: id, toolName: 'read', output: text(1_000) }],
    },
    { role: 'assistant', content: text(300) },
    { role: 'user', content: `Now do the next thing, number ${number}, and tell me of it.` },
  ];
}

const options = {
  provider: 'anthropic',
  model: 'claude-sonnet-4-5',
  counter: { count: (one: string) => Math.ceil(one.length / 4) },
  now: () => 0,
  config: { contextWindow: 8_000, reserve: 1_000, throttleMs: 0, overhead: { message: 0, conversation: 0 } },
} as const;

let manager: ContextManager;
let compressions = 0;

beforeAll(async () => {
  manager = createContextManager(options);
  manager.append({ role: 'user', content: wish });
  for (let number = 0; number < 200; number += 1)
    for (const message of round(number)) {
      manager.append(message);
      const { record } = await manager.checkAndCompress({ beforeSend: true });
      manager.request();
      if (record !== undefined) compressions += 1;
    }
}, 120_000);

test('what the user wants stays, however many compressions come after it', () => {
  expect(compressions).toBeGreaterThan(14);
  expect(manager.view().map(messageText).join('\n')).toContain(wish);
});
