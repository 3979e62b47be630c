import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsFor } from '@ctx/core';
import { wordsOf } from '../../src/base/value-forms.js';
import { knownKeys } from '../../src/config/config.js';
import { configSchema } from '../../src/config/config-keys.js';
import { schemaAt } from '../../src/config/faults.js';

const core = join(__dirname, '../..');
const written: unknown = JSON.parse(readFileSync(join(core, 'config.schema.json'), 'utf8'));

type Json = { readonly [key: string]: unknown };
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Every key in a JSON schema, with what it says of it. */
function propertiesIn(schema: unknown): [string, Json][] {
  if (!isObject(schema)) return [];
  const own = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  return [...own, ...Object.values(schema).flatMap(propertiesIn)];
}

/** The keys in interfaces of a file, and what is right above each. */
function membersIn(file: string): { name: string; above: string }[] {
  const text = readFileSync(join(core, 'src', file), 'utf8');
  const lines = [...text.matchAll(/^(?:export )?interface [^{]*\{\n([\s\S]*?)^\}/gm)].flatMap(
    ([, body = '']) => ['', ...body.split('\n')],
  );
  return lines.flatMap((line, at) => {
    const name = /^ {2}(?:readonly )?['$]?([\w$-]+)'?\??:/.exec(line)?.[1];
    return name === undefined ? [] : [{ name, above: lines[at - 1] ?? '' }];
  });
}

test.each([
  ['config/config-keys.ts', 35],
  ['budget/trigger.ts', 10],
  ['manager/manager-options.ts', 10],
  ['config/match.ts', 2],
  ['compress/events.ts', 13],
])('everything in %s says what it is when an editor points at it', (file, least) => {
  const members = membersIn(file);
  expect(members.length).toBeGreaterThanOrEqual(least);
  expect(members.filter(({ above }) => !above.endsWith('*/')).map(({ name }) => name)).toEqual([]);
});

test('the JSON schema explains every key', () => {
  const properties = propertiesIn(written);
  expect(new Set(properties.map(([key]) => key))).toEqual(new Set(knownKeys));
  expect(properties.filter(([, { description }]) => !description)).toEqual([]);
});

test('docs/configuration.md and docs/expert.md explain every key', () => {
  const pages = ['configuration', 'expert'].map((name) =>
    readFileSync(join(core, `../../docs/${name}.md`), 'utf8'),
  );
  const page = pages.join('\n').replace(/^```.*?^```/gms, '');
  const code = (page.match(/`[^`]+`/g) ?? []).join('\n').split(/[^$\w]+/);
  expect(knownKeys.filter((key) => !code.includes(key))).toEqual([]);
});

test('every key has words for what it takes', () => {
  const paths = [
    ...Object.keys((written as { properties: object }).properties).map((key) => [key]),
    ...['fraction', 'room', 'tokens', 'atLeast'].map((key) => ['target', key]),
    ['rules', 0, 'model'],
    ['trigger', 'fraction'],
    ['beforeSend', 'atLeast'],
    ['prices', 'cacheRead'],
  ];
  const silent = paths.filter((path) => {
    const schema = schemaAt(configSchema, path);
    return schema === undefined || wordsOf(schema) === undefined;
  });
  expect(silent).toEqual([]);
});

test('a default that a comment states is the one in force', () => {
  const source = readFileSync(join(core, 'src/config/config-keys.ts'), 'utf8');
  const stated = [
    ...source.matchAll(/@default (\d+|true|false|[a-z]\w*)(?=;| \*\/|\n)[^/]*\*\/\n {2}(\w+)\?: Given/g),
  ];
  const settings: Readonly<Record<string, unknown>> = { ...settingsFor({}, {}) };
  const rightOnes = stated.filter(
    ([, value = '', key = '']) => ['none', 'any'].includes(value) || String(settings[key]) === value,
  );
  expect(stated.length).toBeGreaterThanOrEqual(15);
  expect(rightOnes).toEqual(stated);
});
