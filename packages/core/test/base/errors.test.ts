import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ConfigError,
  ContextOverflowError,
  CtxError,
  errorCodes,
  packageMissing,
  ValidationError,
} from '@ctx/core';
import { packagesIn } from '../../../../scripts/packages.cjs';

const docs = readFileSync(join(__dirname, '../../../../docs/errors.md'), 'utf8');

test('every code has an entry in the documentation, and no entry lacks a code', () => {
  const documented = [...docs.matchAll(/^### `([a-z-]+)`$/gm)].map((match) => match[1]);
  expect(documented.toSorted()).toEqual([...errorCodes].toSorted());
});

test('an error message has the place, the problem, the value and the remedy', () => {
  const error = new ConfigError({
    code: 'config-invalid',
    problem: 'The window is negative',
    place: 'contextWindow',
    value: -1,
    remedy: 'Give a positive number.',
  });
  expect(error.message).toBe('[ctx] contextWindow: The window is negative (got -1). Give a positive number.');
  expect(error).toMatchObject({
    name: 'ConfigError',
    code: 'config-invalid',
    place: 'contextWindow',
    value: -1,
  });
});

test.each([
  [Number.NaN, 'NaN'],
  [10n, '10n'],
  ['x'.repeat(100), `"${'x'.repeat(76)}...`],
  [{ toJSON: () => undefined }, 'object'],
])('the value %p is shown as %s', (value, shown) => {
  const error = new CtxError({ code: 'config-invalid', problem: 'Odd', value, remedy: 'Mend it.' });
  expect(error.message).toBe(`[ctx] Odd (got ${shown}). Mend it.`);
});

test('an error from another copy of the package is recognised too', () => {
  const error = new ValidationError({ code: 'message-empty', problem: 'Empty', remedy: 'Say something.' });
  expect(CtxError.isInstance(error)).toBe(true);
  expect(CtxError.isInstance({ [Symbol.for('ctx.error')]: true, code: 'message-empty' })).toBe(true);
  expect(CtxError.isInstance(new Error('message-empty'))).toBe(false);
  expect(CtxError.isInstance(undefined)).toBe(false);
});

test('an overflow error names its largest share', () => {
  const breakdown = {
    system: 10,
    tools: 500,
    pinned: 3,
    newestUser: 2,
    unread: 1,
    rest: 0,
    overhead: 4,
    total: 520,
    limit: 100,
  };
  expect(new ContextOverflowError(breakdown).remedy).toContain('tools with 500 tokens');
});

test('no remedy of any package sends a reader to a file that is not in the package', () => {
  const root = join(__dirname, '../../../..');
  const files = packagesIn(root).flatMap(({ name, folder }) => {
    const src = join(root, folder, 'src');
    // Those packages are never published.
    if (!existsSync(src) || name.startsWith('agents-test')) return [];
    const all = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    return all.map((file) => join(src, file));
  });
  const remedies = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .split('\n')
      .filter((line) => /\bdocs\/[\w-]+\.md/.test(line)),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(remedies).toEqual([]);
});

test('an error holds a small value as it is, and of a large one only the beginning', () => {
  const held = (value: unknown) =>
    new CtxError({ code: 'config-invalid', problem: 'Odd', value, remedy: 'Mend it.' }).value;
  const cycle: Record<string, unknown> = { size: 10n };
  cycle.self = cycle;
  for (const small of [cycle, [1, 'two'], null, undefined, 'text', 3n]) expect(held(small)).toBe(small);
  const conversation = Array.from({ length: 500 }, (_, at) => ({ role: 'user', content: `line ${at}` }));
  for (const large of [conversation, 'x'.repeat(5000), { deep: [conversation] }, new Uint8Array(9000)])
    expect(String(held(large))).toHaveLength(2000);
  const { problems } = new ConfigError({
    code: 'config-invalid',
    problem: 'Odd',
    value: conversation,
    remedy: 'Mend it.',
  });
  expect(JSON.stringify(problems).length).toBeLessThan(5000);
});

const failing = (error: unknown) =>
  Promise.reject(error).catch(packageMissing('a store in Postgres', ['pg@8', 'pg-types@2']));

test.each(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'])(
  '%s becomes an error with an install line',
  async (code) => {
    const cause = Object.assign(new Error("Cannot find package 'pg'"), { code });
    const error = await failing(cause).catch((thrown: unknown) => thrown);
    expect(CtxError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({
      code: 'package-missing',
      value: ['pg@8', 'pg-types@2'],
      remedy: 'Install it where ctx is installed: npm install pg@8 pg-types@2',
      cause,
    });
    expect(String(error)).toContain('needed for a store in Postgres');
  },
);

test.each([new Error('connection refused'), undefined, 'text'])(
  'any other failure stays as it is: %s',
  async (error) => {
    await expect(failing(error)).rejects.toBe(error);
  },
);
