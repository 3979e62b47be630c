import { bpeCounter, ContextManager, type Message, toolCallsOf } from '@ctx/core';
import { and, assistant, call, checkLaws, result, transcript, user, words } from '@ctx/testing';
import fc from 'fast-check';
import { placeholders, toolResults } from '../src/index.js';
import type { ToolResultsInput } from '../src/options.js';
import { snowPlaceholders } from '../src/placeholders.js';

const counter = bpeCounter();
beforeAll(() => counter.load?.());

const minute = 60_000;
const now = 1000 * minute;

/** Outputs of tools: repeated, short and long, in JSON, with errors, in sections, and some that look like placeholders. */
const outputs = fc.oneof(
  fc.constantFrom(
    words(60, 'const value = 1;'),
    words(900, 'log line'),
    JSON.stringify({ stdout: words(700, 'out'), stderr: '' }),
    JSON.stringify({ stdout: words(700, 'out'), stderr: 'no such file' }),
    JSON.stringify({ rows: Array.from({ length: 300 }, (_, id) => ({ id, name: `row ${id}` })) }),
    `Error: ${words(40)}`,
    `${words(500, 'same')} in the middle one ${words(500, 'same')}`,
    `${words(500, 'same')} in the middle two ${words(500, 'same')}`,
    `==> src/a.ts <==\n${words(40, 'first')}\n==> src/b.ts <==\n${words(40, 'second')}`,
    'ok',
    '[cleared]',
    placeholders.reads,
    snowPlaceholders.terminal,
  ),
  fc.lorem({ maxCount: 80 }),
);
const calls = fc.constantFrom<[string, unknown]>(
  ['Read', { file_path: 'src/a.ts' }],
  ['read_file', { path: './src/a.ts' }],
  ['filesystem-read', { filePath: ['src/a.ts', 'src/b.ts'] }],
  ['Edit', { file_path: 'src/a.ts' }],
  ['Bash', { command: 'npm test' }],
  ['terminal-execute', { command: 'npm test' }],
  ['grep', { query: 'value' }],
);
const turn = fc
  .tuple(fc.array(fc.tuple(calls, outputs), { minLength: 1, maxLength: 3 }), fc.nat(90), fc.boolean())
  .map(([uses, age, together]) => {
    const ids = uses.map((_, index) => `c${index}`);
    const asked = and(...uses.map(([[name, input]], index) => call(ids[index] as string, name, input)));
    const fields = { createdAt: now - age * minute };
    const results = uses.map(([, output], index) => result(ids[index] as string, output, fields));
    return [asked, ...(together ? [{ ...and(...results), ...fields }] : results), assistant('next')];
  });
const session = fc
  .array(turn, { minLength: 2, maxLength: 14 })
  .map((turns) => transcript(user('go'), ...turns.flat(), user('and now?')));
const optionSets = fc.constantFrom<ToolResultsInput>(
  {},
  { agent: 'snow' },
  { reads: { keep: 1 }, duplicates: { includeReads: true }, superseded: {} },
  { reads: { keep: 0, large: { overTokens: 50, keep: 0 } }, giants: { maxTokens: 120 } },
  { reads: false, giants: { maxTokens: 200, keepJson: true }, terminal: { keepNewest: 0 } },
  { reads: { keep: 2 }, duplicates: { includeReads: true }, giants: { maxTokens: 300, headShare: 0 } },
);

const run = (id: string, output: string) =>
  transcript(call(id, 'Bash', { command: 'make' }), result(id, output, { createdAt: 0 }));
const reads = Array.from({ length: 4 }, (_, at) =>
  transcript(call(`${at}`, 'filesystem-read', { filePath: 'a' }), result(`${at}`, words(60, `v${at}`))),
).flat();
const looksAlike = ['one', 'two'].flatMap((middle) =>
  run(middle, `${words(500, 'same')} ${middle} ${words(500, 'same')}`),
);
const failed = JSON.stringify({ stdout: words(900, 'out'), stderr: 'no such file' });
const errors = [...run('1', failed), ...run('2', `Error: ${words(900)}`), user('go')];
const clearing = { reads: { keep: 1 }, duplicates: { includeReads: true } };

/** A cleared result is no duplicate; results differ though their middle was cut; an error is one though its sign was cut out. */
const examples: [Message[], ToolResultsInput][] = [
  [reads, clearing],
  [reads, { agent: 'snow', ...clearing }],
  [[...looksAlike, user('go')], { terminal: false, giants: { maxTokens: 60 } }],
  [errors, { terminal: { keepNewest: 0 }, giants: { maxTokens: 60, headShare: 0 } }],
];

test('with a real tokenizer every law holds, and a second run finds nothing', async () => {
  await fc.assert(
    fc.asyncProperty(session, optionSets, async (messages, options) => {
      await checkLaws(toolResults(options), messages, { targetTokens: 0, counter, now });
    }),
    { numRuns: 50, examples },
  );
});

test('whatever follows a result, each rule clears or cuts it at most once, and its placeholder is true', async () => {
  await fc.assert(
    fc.asyncProperty(session, session, async (first, second) => {
      const config = { contextWindow: 1_000_000, throttleMs: 0, minMessagesToKeep: 1 };
      const manager = new ContextManager({ counter, now: () => now, config });
      const reads = { reads: { keep: 1 }, duplicates: { includeReads: true } };
      const strategy = toolResults({ ...reads, giants: { maxTokens: 120 } });
      for (const part of [first, second]) {
        for (const message of part) manager.append(message);
        await manager.compress({ strategy, targetTokens: 0 });
      }
      const originals = new Map(manager.transcript.map(({ id, message }) => [id, message]));
      const shown = manager.view();
      expect(shown).toHaveLength(originals.size);
      expectTrue(shown, [...originals.values()]);
    }),
    { numRuns: 20 },
  );
});

/** Expects that the same call with the same, unchanged output follows each "same result further down". */
function expectTrue(shown: readonly Message[], originals: readonly Message[]): void {
  const uses = (messages: readonly Message[]) => {
    let asked = new Map<string, string>();
    return messages.flatMap((message) => {
      const own = toolCallsOf(message);
      if (own.length > 0)
        asked = new Map(
          own.map(({ toolCallId, toolName, input }) => [toolCallId, `${toolName}${JSON.stringify(input)}`]),
        );
      return message.role !== 'tool'
        ? []
        : message.content.map(
            ({ toolCallId, output }) => `${asked.get(toolCallId)}\n${JSON.stringify(output)}`,
          );
    });
  };
  const said = uses(originals);
  for (const [index, use] of uses(shown).entries()) {
    if (!use.endsWith(JSON.stringify(placeholders.duplicates))) continue;
    expect(said.slice(index + 1)).toContain(said[index]);
  }
}
