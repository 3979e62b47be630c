import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config, Rule } from '@ctx/core';
import type { z } from 'zod/mini';
import type { configSchema } from '../../src/config/config-schema.js';

type Checked = z.input<typeof configSchema>;
type CheckedRule = NonNullable<Checked['rules']>[number];

/** What is written for editors and what is checked have the same keys, and each takes the values of the other. */
const same: readonly true[] = [
  true satisfies keyof Config extends keyof Checked ? true : false,
  true satisfies keyof Checked extends keyof Config ? true : false,
  true satisfies keyof Rule extends keyof CheckedRule ? true : false,
  true satisfies keyof CheckedRule extends keyof Rule ? true : false,
  true satisfies Required<Checked> extends Config ? true : false,
  true satisfies Omit<Config, 'trigger' | 'rules' | 'options'> extends Omit<
    Checked,
    'trigger' | 'rules' | 'options'
  >
    ? true
    : false,
];

/** The members of interfaces and what stands right above each. */
function membersIn(file: string): { name: string; above: string }[] {
  const text = readFileSync(join(__dirname, '../../src', file), 'utf8');
  const lines = [...text.matchAll(/^(?:export )?interface [^{]*\{\n([\s\S]*?)^\}/gm)].flatMap(
    ([, body = '']) => ['', ...body.split('\n')],
  );
  return lines.flatMap((line, at) => {
    const name = /^ {2}(?:readonly )?['$]?([\w$-]+)'?\??:/.exec(line)?.[1];
    return name === undefined ? [] : [{ name, above: lines[at - 1] ?? '' }];
  });
}

test('the types of a configuration are those of its schema', () => {
  expect(same).not.toContain(false);
});

test.each([
  ['config/config-keys.ts', 29],
  ['budget/trigger.ts', 7],
  ['manager/manager-options.ts', 10],
  ['config/match.ts', 2],
  ['compress/events.ts', 13],
])('everything in %s says what it is when an editor points at it', (file, atLeast) => {
  const members = membersIn(file);
  expect(members.length).toBeGreaterThanOrEqual(atLeast);
  expect(members.filter(({ above }) => !above.endsWith('*/')).map(({ name }) => name)).toEqual([]);
});
