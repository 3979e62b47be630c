/**
 * Checks that no group of packages has more lines of source than its budget, and prints those that have. A budget is raised only for
 * what a reader of the project would miss, and lowered when lines leave. `goal` is where a group should come to.
 * Usage: node scripts/line-budgets.mjs [root]
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { conclude, packageSources, root } from './sources.mjs';

/** Lines of .ts files in src, by group. */
const budgets = {
  core: { most: 14_594, goal: 12_700, of: /^core\// },
  'excerpt, relevance, condense': {
    most: 6_130,
    goal: 6_000,
    of: /^strategies\/(excerpt|relevance|condense)\//,
  },
  'file folding': { most: 1_750, goal: 1_750, of: /^strategies\/file-folding\// },
  'tool results and the small strategies': { most: 1_638, goal: 1_650, of: /^strategies\// },
  codecs: { most: 7_294, goal: 7_300, of: /^codecs\// },
  presets: { most: 1_234, goal: 1_150, of: /^presets\// },
  'file reading, telemetry': { most: 1_130, goal: 1_050, of: /^tools\/(file-reading|telemetry)\// },
  'archive, recall': { most: 2_897, goal: 2_900, of: /^memory\// },
  'conversation, fetch': { most: 5_125, goal: 4_600, of: /^adapters\/(conversation|fetch)\// },
  proxy: { most: 1_880, goal: 1_900, of: /^adapters\/proxy\// },
  'mod for Claude Code': { most: 799, goal: 800, of: /^adapters\/claude-code\// },
  'AI SDK, LangChain': { most: 585, goal: 590, of: /^adapters\// },
  sessions: { most: 3_431, goal: 3_300, of: /^tools\/sessions\// },
  cli: { most: 2_800, goal: 2_800, of: /^tools\/cli\// },
  bench: { most: 5_399, goal: 5_400, of: /^tools\/bench\// },
  testing: { most: 9_632, goal: 8_900, of: /^testing\// },
};

const lines = new Map(Object.keys(budgets).map((name) => [name, 0]));
const offences = [];
for (const file of packageSources()) {
  const place = relative(root, file).replace(/^packages\//, '');
  const [name] = Object.entries(budgets).find(([, { of }]) => of.test(place)) ?? [];
  if (name === undefined)
    offences.push({
      file: `packages/${place}`,
      line: 1,
      message: 'belongs to no group in scripts/line-budgets.mjs',
    });
  else lines.set(name, lines.get(name) + readFileSync(file, 'utf8').split('\n').length - 1);
}
for (const [name, { most }] of Object.entries(budgets)) {
  const own = lines.get(name);
  if (own > most)
    offences.push({
      file: 'scripts/line-budgets.mjs',
      line: 1,
      message: `${name} has ${own} lines, more than ${most}`,
    });
}
conclude(
  offences,
  `${[...lines.values()].reduce((sum, own) => sum + own)} lines of source, all within their budgets.`,
);
