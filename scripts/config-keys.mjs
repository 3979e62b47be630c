/**
 * Writes what is made of the keys of a configuration, from the schema that checks them and the comments above them: the JSON schema for
 * editors, and the tables of docs/configuration.md and docs/expert.md.
 * Usage: node scripts/config-keys.mjs [--check], after tsc
 *   --check  writes nothing, and fails if something is out of date
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { configSchema } from '../packages/core/dist/config/config-keys.js';
import { blockComments, proseOf } from './comments.mjs';
import { block, read, replaced, writeAll } from './generated.mjs';
import { root } from './tools.mjs';

const { toJSONSchema } = createRequire(join(root, 'packages/core/package.json'))('zod/mini');

/** Where the keys within a key are written. */
const files = {
  '': 'config/config-keys.ts',
  target: 'config/config-keys.ts',
  trigger: 'budget/trigger.ts',
  prices: 'budget/request-cost.ts',
  prior: 'count/coefficients.ts',
};

/** What the comments in a file say of the keys below them: what a key is for, and its default. Keys are indented once, in an interface. */
function commentsIn(file) {
  const text = read(`packages/core/src/${file}`);
  const found = blockComments(text).flatMap(({ start, text: comment }) => {
    const [, indent, key] =
      /^( *)(?:readonly )?([$\w]+)\??: (?:Given|Filled)</.exec(text.slice(start + comment.length + 1)) ?? [];
    return indent === '  ' ? [[key, comment]] : [];
  });
  return Object.fromEntries(
    found.map(([key, comment]) => {
      const [about, value = ''] = proseOf(comment).split('@default ');
      return [key, { text: about.trim(), value: value.trim() }];
    }),
  );
}

const comments = Object.fromEntries(Object.entries(files).map(([key, file]) => [key, commentsIn(file)]));

/** Objects as code, except in a text that has code already. */
const withCode = (text = '') =>
  text.includes('`') ? text : text.replace(/\{[^{}]*(?:\{[^{}]*\}[^{}]*)?\}/g, '`$&`');

/** The rows of the tables, by the name of the table. */
const rows = { setting: [], top: [], trigger: [], expert: [] };

/** Keys that hardly anybody changes. */
const expert = [
  'encoding',
  'overhead',
  'images',
  'prior',
  'leadingUser',
  'recallTool',
  'profileThresholds',
  'throttleMs',
  'timeoutMs',
  'historySize',
];

/** Puts into a JSON schema what the comments say, and collects what it said before for the tables. */
function explain(schema, place, tableOf) {
  for (const [key, property] of Object.entries(schema.properties)) {
    const { text, value } = comments[place]?.[key] ?? {};
    tableOf?.(key)?.push([`\`${key}\``, withCode(property.description), withCode(value), text]);
    property.description = text ?? property.description;
    const inner = [property, property.items, ...(property.anyOf ?? [])].filter((one) => one?.properties);
    for (const one of inner) explain(one, key === 'rules' ? '' : key);
  }
}

const schema = toJSONSchema(configSchema, { io: 'input', target: 'draft-7', reused: 'inline' });
explain(structuredClone(schema.properties.trigger), 'trigger', () => rows.trigger);
const rule = schema.properties.rules.items.properties;
for (const property of Object.values(rule)) delete property.default;
explain(schema, '', (key) => {
  if (expert.includes(key)) return rows.expert;
  return Object.hasOwn(rule, key) ? rows.setting : rows.top;
});

function table(heads, cells) {
  const lines = [heads, ...cells].map((row) => `| ${row.join(' | ')} |\n`.replaceAll('|  |', '| |'));
  return [lines[0], `${'|---'.repeat(heads.length)}|\n`, ...lines.slice(1)].join('');
}

const heads = ['key', 'takes', 'default', ''];
const tables = {
  'docs/configuration.md': {
    'rule keys': table(heads, rows.setting),
    'top keys': table(heads, rows.top),
    'trigger keys': table(
      ['key', 'takes', ''],
      rows.trigger.map(([key, takes, , text]) => [key, takes, text]),
    ),
  },
  'docs/expert.md': { 'expert keys': table(heads, rows.expert) },
};
const texts = { 'packages/core/config.schema.json': `${JSON.stringify(schema, undefined, 2)}\n` };
for (const [page, blocks] of Object.entries(tables))
  texts[page] = Object.entries(blocks).reduce(
    (text, [name, lines]) => replaced(page, block(name), lines, text),
    read(page),
  );
process.exitCode = writeAll(texts, process.argv.includes('--check')) ? 0 : 1;
