import { readFileSync } from 'node:fs';
import { exitCodes } from '@ctx/cli';
import { ctx, didYouMean, lateCheck } from './run-ctx.js';

interface Changes {
  readonly tokensBefore: number;
  readonly changes: readonly {
    readonly number: number;
    readonly label: string;
    readonly outcome: string;
    readonly before: string;
    readonly after: string;
    readonly tokensBefore: number;
    readonly tokensAfter: number;
  }[];
  readonly added: readonly { readonly text: string }[];
}

const changesOf = async (...args: readonly string[]): Promise<Changes> =>
  JSON.parse((await ctx(['diff', ...args, '--json'])).stdout);

test('every message is accounted for, in order', async () => {
  const { changes } = await changesOf(lateCheck, '--to', '25%');
  expect(changes.map(({ number }) => number)).toEqual(Array.from({ length: 104 }, (_, index) => index + 1));
  for (const { outcome, before, after, tokensBefore, tokensAfter } of changes) {
    if (outcome === 'kept') expect([after, tokensAfter]).toEqual([before, tokensBefore]);
    if (outcome === 'dropped') expect([after, tokensAfter]).toEqual(['', 0]);
    expect(tokensAfter).toBeLessThanOrEqual(tokensBefore);
  }
  const outcomes = new Set(changes.map(({ outcome }) => outcome));
  expect([...outcomes]).toEqual(expect.arrayContaining(['kept', 'dropped', 'excerpted']));
});

test.each([
  ['that does not exist', ['--message', '9999'], '--message: The session has 104 messages (got 9999)'],
  ['that comes later', ['--message', '90', '--at', '60'], 'The message is not in the window'],
])('a message %s is an error', async (_, args, problem) => {
  const { status, stdout, stderr } = await ctx(['diff', lateCheck, ...args]);
  expect([status, stdout, stderr]).toEqual([exitCodes.usage, '', expect.stringContaining(problem)]);
});

test('what an excerpt quotes of a result are lines of it', async () => {
  const { changes } = await changesOf(lateCheck, '--to', '25%');
  const quoted = changes.filter(
    ({ outcome, after, label }) => outcome === 'excerpted' && after !== '' && label.startsWith('result of'),
  );
  expect(quoted.length).toBeGreaterThan(0);
  for (const { before, after } of quoted)
    for (const line of after.split('\n').map((one) => one.trim())) expect(before).toContain(line);
});

test('the table names the messages that changed, and the sums are those of all', async () => {
  const { stdout } = await ctx(['diff', lateCheck, '--to', '25%']);
  const { changes } = await changesOf(lateCheck, '--to', '25%');
  const rows = stdout.split('\n').filter((line) => / (?:dropped|excerpted|cleared|truncated)$/.test(line));
  expect(rows).toHaveLength(changes.filter(({ outcome }) => outcome !== 'kept').length);
  const kept = changes.filter(({ outcome }) => outcome === 'kept').length;
  expect(stdout).toMatch(new RegExp(`^kept +${kept} messages?, `, 'm'));
});

test('line by line, what is removed stands in the session and what is added does not', async () => {
  const { stdout } = await ctx(['diff', didYouMean, '--strategy', 'tool-results', '--to', '10%', '--lines']);
  const source = readFileSync(didYouMean, 'utf8');
  const isIn = (line: string) => source.includes(JSON.stringify(line.slice(1)).slice(1, -1));
  const [removed, added] = ['-', '+'].map((sign) =>
    stdout.split('\n').filter((line) => line.startsWith(sign)),
  );
  expect(removed?.length).toBeGreaterThan(10);
  expect(added?.length).toBeGreaterThan(0);
  // Arguments are shown decoded, so not every line stands there as it is.
  expect((removed?.filter(isIn).length ?? 0) / (removed?.length ?? 1)).toBeGreaterThan(0.9);
});

test('one message can be looked at', async () => {
  const { stdout } = await ctx(['diff', lateCheck, '--to', '25%', '--message', '12']);
  expect(stdout.match(/^@@ /gm)).toHaveLength(1);
  expect(stdout).toContain('@@ message 12: result of read');
});
