/** Writes docs/models.md from the table in packages/presets. Usage: npm run build && node scripts/models.mjs */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelsCheckedOn, modelTable } from '../packages/presets/dist/model-table.js';
import { root } from './tools.mjs';

const figure = (tokens) => tokens.toLocaleString('en-US');

const rows = modelTable.map(({ models, input, output, total, encoding, reasoning, assumed, source }) => {
  const notes = [
    ...(total === undefined ? [] : [`${figure(total)} in all`]),
    ...(encoding === undefined ? [] : [`\`${encoding}\``]),
    ...(reasoning === undefined ? [] : [`reasoning ${reasoning}`]),
    ...(assumed ? ['assumed, with a warning'] : []),
  ];
  const ids = models.map((model) => `\`${model}\``).join(', ');
  return `| ${[ids, figure(input), figure(output), notes.join(', '), `[source](${source})`].join(' | ')} |`;
});

const page = `# Models

Limits in tokens, as of ${modelsCheckedOn}, from \`packages/presets/src/model-table.ts\`; \`node scripts/models.mjs\` writes this page. The first row
that matches counts. The input is the hard limit of a request. Request and answer share it, unless "in all" says how much both may have together.

Ids are compared without the parts that a host adds: \`us.anthropic.claude-sonnet-4-5-20250929-v1:0\` (Bedrock), \`claude-sonnet-4-5@20250929\` and
\`publishers/…/models/…\` (Vertex), \`anthropic/claude-sonnet-4.5:beta\` (OpenRouter). An Azure deployment is known if it is named after its
model. \`[1m]\` after an id means a window of a million tokens. [Other models](guide/unknown-model.md) are
assumed to have 128,000 tokens, Ollama and LM Studio 8,192, and \`manager.warnings\` says so. \`contextWindow\` in a configuration always wins.

\`bound\` reasoning is sent back only after the prefix that it was written for, as Claude demands from Fable 5.1 on
([preserved thinking](https://platform.claude.com/docs/en/build-with-claude/preserved-thinking)).

| models | input | output | | |
|---|--:|--:|---|---|
${rows.join('\n')}
`;

writeFileSync(join(root, 'docs/models.md'), page);
console.log('docs/models.md is up to date.');
