import { join } from 'node:path';
import { estimateTokens, type Message, messageText, type SummarizeRequest } from '@ctx/core';
import { intro } from '@ctx/excerpt';
import { readSession } from '@ctx/sessions';
import {
  arbitraryTranscript,
  assistant,
  call,
  deepFreeze,
  result,
  testWithFiles,
  transcript,
  user,
  words,
} from '@ctx/testing';
import fc from 'fast-check';
import { createSummarizer, type SummarizerOptions } from '../src/index.js';

async function summarize(
  messages: readonly Message[],
  maxTokens = 400,
  more: Partial<SummarizeRequest> = {},
  options: SummarizerOptions = {},
): Promise<string> {
  deepFreeze(messages);
  const { text } = await createSummarizer(options).summarize({
    messages,
    originals: messages.map((message, index) => ({ message, number: index + 1 })),
    maxTokens,
    contextWindow: 100_000,
    automatic: false,
    tokensOf: estimateTokens,
    signal: new AbortController().signal,
    ...more,
  });
  return text;
}
const modelThatSays = (text: string): SummarizerOptions => ({ model: async () => text });

const work = transcript(
  user('Use PostgreSQL 15 for the billing service.'),
  assistant('I put the schema into db/schema.sql because the tests read it.'),
  call('1', 'read', { path: 'src/booking.ts' }),
  result('1', 'export function priceOf(booking: Booking) {\n  return booking.total;\n}'),
  user('Why is it so?'),
);

/** Ms. A limit against a hang, not a measure: it takes some seconds on a quiet machine. */
const hangLimit = 600_000;

describe('without a model', () => {
  test('the ledger comes first, then passages word for word, each under its speaker or its call', async () => {
    expect(await summarize(work)).toBe(
      [
        '## Conversation Summary',
        '',
        '## What the user asked for, word for word',
        '- "Use PostgreSQL 15 for the billing service." (Message #1)',
        '',
        intro,
        '## assistant',
        'I put the schema into db/schema.sql because the tests read it.',
        '## read src/booking.ts',
        'export function priceOf(booking: Booking) {',
        '  return booking.total;',
        '}',
        '## user',
        'Why is it so?',
      ].join('\n'),
    );
  });

  test('if room is short, the lines that say most for their length stay', async () => {
    const filler = Array.from({ length: 40 }, (_, index) =>
      assistant(`Well, then, so it is, and so on, number ${index}.`),
    );
    const said = [...filler, assistant('The API key of staging lives in config/staging.env, never in git.')];
    expect(await summarize(said, 80)).toContain('config/staging.env');
  });

  test('a summary whose original messages are gone is a source too', async () => {
    const earlier = {
      ...user('## Conversation Summary\nThey agreed never to touch src/legacy.ts.'),
      summary: true,
    };
    const text = await summarize([earlier, assistant('Fine, I keep away from it.')]);
    expect(text).toContain('They agreed never to touch src/legacy.ts.');
    expect(text.match(/^## Conversation Summary$/gm)).toHaveLength(1);
  });

  test('what the model still sees is not repeated while there is something else', async () => {
    const lines = (name: string) =>
      Array.from({ length: 30 }, (_, at) => `const ${name}${at} = load${name}(${at});`).join('\n');
    const said = (name: string) =>
      transcript(call(name, 'read', { path: `${name}.ts` }), result(name, lines(name)));
    const covered = [...said('alpha'), ...said('beta')];
    const shown = async (staying: readonly Message[]) => {
      const text = await summarize(covered, 300, { transcript: [...covered, ...staying], staying });
      return text.match(/loadalpha/g)?.length ?? 0;
    };
    expect(await shown(said('alpha'))).toBeLessThan((await shown(said('beta'))) / 2);
  });

  test.each([
    ['Chinese', '我们决定使用 PostgreSQL 数据库。用户认证在下周完成。'],
    ['Japanese', '請求書サービスは東京リージョンに置きます。移行は金曜日です。'],
    ['Thai', 'เราตัดสินใจใช้ฐานข้อมูลใหม่สำหรับระบบเรียกเก็บเงิน'],
    ['German', 'Wir haben entschieden, dass die Übergabe am Freitag stattfindet.'],
  ])('%s without any code is summarised too', async (_language, text) => {
    expect(await summarize([assistant(text), assistant('了解しました')])).toContain(text);
  });

  test('nothing at all is no summary', async () => {
    await expect(summarize([assistant(''), assistant('')])).rejects.toMatchObject({ code: 'summary-failed' });
  });

  test('for any conversation it keeps to its tokens and gives the same summary twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryTranscript,
        fc.integer({ min: 32, max: 400 }),
        async (messages, maxTokens) => {
          const once = async () => summarize(messages, maxTokens).catch(({ code }) => String(code));
          const text = await once();
          expect(estimateTokens(text)).toBeLessThanOrEqual(maxTokens + 3);
          expect(await once()).toBe(text);
        },
      ),
    );
  });

  test(
    'giant texts can be summarised: one line of two megabytes, twenty thousand messages',
    async () => {
      const giant = [user('x'.repeat(2_000_000)), user('a b. '.repeat(200_000))];
      expect(estimateTokens(await summarize(giant, 200))).toBeLessThanOrEqual(203);
      const many = Array.from({ length: 20_000 }, (_, index) => assistant(`Step ${index} is ${words(5)}.`));
      expect(await summarize(many, 500)).toContain('Step');
    },
    hangLimit,
  );
});

describe('with a model', () => {
  const codeOf = (at: number) =>
    Array.from(
      { length: 12 },
      (_, line) => `export const part${at}Field${line} = read${at}x${line}(input);`,
    ).join('\n');
  const calls = Array.from({ length: 30 }, (_, at) =>
    transcript(call(`c${at}`, 'read', { path: `src/part-${at}.ts` }), result(`c${at}`, codeOf(at))),
  ).flat();

  test('passages fill the room that its summary leaves of the target', async () => {
    for (const roomTokens of [800, 1600]) {
      const text = await summarize(calls, 300, { roomTokens }, modelThatSays('They read the parts.'));
      expect(text).toMatch(/^## Conversation Summary\nThey read the parts\.\n\n\[Excerpt/);
      expect(estimateTokens(text)).toBeLessThanOrEqual(roomTokens);
      expect(estimateTokens(text)).toBeGreaterThan(0.9 * roomTokens);
    }
  });

  test('what its summary says is not repeated while there is something else', async () => {
    const shown = (text: string) => text.slice(text.indexOf(intro)).match(/part7Field/g)?.length ?? 0;
    const silent = await summarize(calls, 300, { roomTokens: 4000 }, modelThatSays('They read the parts.'));
    const speaking = await summarize(
      calls,
      300,
      { roomTokens: 4000 },
      modelThatSays(`The files said:\n${codeOf(7)}`),
    );
    expect(shown(silent)).toBeGreaterThan(0);
    expect(shown(speaking)).toBe(0);
  });

  test('it gets its earlier summary without the passages', async () => {
    const earlier = await summarize(calls, 300, { roomTokens: 800 }, modelThatSays('They read the parts.'));
    const asked: string[] = [];
    const model = async (prompt: string) => {
      asked.push(prompt);
      return 'They read the parts and went on.';
    };
    const news = [assistant(words(60, 'news'))];
    const all = [...calls, ...news];
    const text = await summarize(
      [{ ...user(earlier), summary: true }, ...news],
      300,
      { roomTokens: 800, originals: all.map((message, at) => ({ message, number: at + 1 })) },
      { model },
    );
    expect(earlier).toContain(intro);
    expect(asked[0]).toContain('They read the parts.');
    expect(asked[0]).not.toContain(intro);
    expect(asked[0]).not.toContain('export function');
    expect(text.match(/\[Excerpt of what was said before/g)).toHaveLength(1);
  });

  test('it gets its earlier summary whole, even if that is longer than other parts may be', async () => {
    const asked: string[] = [];
    const model = async (prompt: string) => {
      asked.push(prompt);
      return 'They went on.';
    };
    const earlier = `## Conversation Summary\n${Array.from({ length: 900 }, (_, at) => `fact${at}`).join(' ')}`;
    const messages = [{ ...user(earlier), summary: true }, assistant(words(60, 'news'))];
    await summarize(messages, 300, {}, { model, maxPartTokens: 100 });
    expect(asked[0]).toContain('fact450');
  });
});

const session = join(__dirname, '../../../../../shared/data/pi/large-session.jsonl');
testWithFiles('a real session is summarised, and every line of the excerpt was said', [session], async () => {
  const { messages } = await readSession(session);
  const text = await summarize(messages, 1500);
  const said = messages
    .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
    .concat(messages.map(messageText))
    .join('\n');
  const lines = text
    .slice(text.indexOf(intro) + intro.length)
    .split('\n')
    .filter((line) => /^[\w ,.']{20,}$/.test(line));
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) expect(said).toContain(line);
});
