/**
 * Writes the JSON schema of the configuration as a text, so that core need not bring what makes one: a tenth of its size. A test of core
 * compares the two.
 * Usage: node scripts/config-schema.mjs, after tsc
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { configSchema } from '../packages/core/dist/config/config-schema.js';
import { root } from './tools.mjs';

const core = join(root, 'packages/core');
const { toJSONSchema } = createRequire(join(core, 'package.json'))('zod/mini');
const text = JSON.stringify(toJSONSchema(configSchema, { io: 'input', target: 'draft-7' }));
const quoted = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
writeFileSync(
  join(core, 'src/config/config-json-schema.ts'),
  `/** Written by \`npm run generate\` from config-schema.ts. */
const schema =
  '${quoted}';

/** The JSON schema of a configuration file, for editors. */
export function configJsonSchema(): object {
  return JSON.parse(schema);
}
`,
);
