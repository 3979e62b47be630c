import { openaiCodec } from '@ctx/codec-openai';
import { createContextManager } from '@ctx/presets';
import { createSummarizer } from '@ctx/strategy-condense';
import { assistant, call, result, transcript, user, words } from '@ctx/testing';

/** What expressions and searches that go back take quadratic time or more for: at this size minutes to hours. */
const length = 300_000;
const patterns = [
  ...['a', ' ', '\n', '/', '/\n', '\u3000', 'a\u0301', '--- ', '---+', '-- -- ', '| a ', '|---|\n'],
  ...['NAME  ', '<command>', '<history', '## user\n', '</file>\n', '"a": ', '{"a":[', '(a<b<', "it's "],
  ...['a.b/', 'data:a;base64', '`', '{!;.', '/*', 'Error: at x (a:1:2)\n', '+ a\n- b\n', 'a,b\n', '\r'],
  ...['。', '<a b="'],
];

describe.each(patterns)('300,000 characters of %j', (pattern) => {
  const text = pattern.repeat(Math.ceil(length / pattern.length));

  test('is compressed, sent and read again', async () => {
    const manager = createContextManager({
      model: 'gpt-4o',
      config: { contextWindow: 20_000, throttleMs: 0, timeoutMs: 20_000 },
    });
    const messages = transcript(
      user('Look at both files.'),
      call('1', 'read_file', { path: 'src/a.ts' }),
      result('1', text),
      call('2', 'bash', { command: text.slice(0, 100_000) }),
      result('2', text),
      user(text.slice(0, 300_000)),
      assistant(words(400)),
      user('and now?'),
    );
    for (const message of messages) manager.append(message);
    await manager.compress({ targetTokens: 5_000 });
    const native = openaiCodec.fromMessages(manager.view());
    expect(openaiCodec.toMessages(native)).toHaveLength(manager.view().length);
  }, 60_000);

  test('is summed up', async () => {
    const messages = [user(text), assistant(text), user(`Build it. ${words(50)}`)];
    const tokensOf = (some: string) => Math.ceil(some.length / 4);
    await createSummarizer()
      .summarize({
        messages,
        originals: messages.map((message, at) => ({ number: at + 1, message })),
        maxTokens: 500,
        contextWindow: 20_000,
        automatic: false,
        tokensOf,
        signal: new AbortController().signal,
      })
      .catch((error: unknown) => expect(error).toMatchObject({ code: 'summary-failed' }));
  }, 60_000);
});
