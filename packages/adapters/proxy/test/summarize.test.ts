import { words } from '@ctx/testing';
import { parseCommandLine } from '../src/command-line.js';
import { json, setUp } from './upstream.js';

const summary = 'The files were looked at, and none was at fault. Next: the last one.';
const messages = [
  ...Array.from({ length: 60 }, (_, turn) => [
    { role: 'user', content: `Look at file${turn}.ts` },
    { role: 'assistant', content: words(60, `line${turn}`) },
  ]).flat(),
  { role: 'user', content: 'And now?' },
];
const config = { contextWindow: 30_000, reserve: 0, trigger: { tokens: 5000 }, target: { tokens: 3000 } };

test('the upstream is asked for a summary with the same key, and the client sees only its answer', async () => {
  const { received, proxy } = await setUp(
    (response, { body }) => {
      const isSummary = body.toString('utf8').includes('You sum up the work of an assistant');
      const message = { role: 'assistant', content: isSummary ? summary : 'ok' };
      json(response, {
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        usage: { prompt_tokens: 50 },
      });
    },
    { summarize: 'gpt-5-mini', config },
  );
  const answer = await proxy.post({ model: 'gpt-5', messages });
  expect(await answer.json()).toMatchObject({ choices: [{ message: { content: 'ok' } }] });
  expect(received.map(({ path, headers }) => [path, headers.authorization])).toEqual(
    received.map(() => ['/v1/chat/completions', received[1]?.headers.authorization]),
  );
  expect(received).toHaveLength(2);
  const [hidden, real] = received.map(({ body }) => body.toString('utf8'));
  expect(JSON.parse(hidden ?? '')).toMatchObject({ model: 'gpt-5-mini' });
  expect(JSON.parse(real ?? '')).toMatchObject({ model: 'gpt-5' });
  expect(real).toContain(summary);
});

test.each([
  ['true', true],
  ['gpt-5-mini', 'gpt-5-mini'],
])('--summarize %s', (given, summarize) => {
  expect(parseCommandLine(['--summarize', given]).options).toEqual({ summarize });
});
