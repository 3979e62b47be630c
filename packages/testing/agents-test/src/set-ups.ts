import { readFileSync } from 'node:fs';
import { setUpServer } from './agents.js';
import type { MeasuredRun } from './measured-run.js';

/** The packages of each set-up by the beginning of its name; the first that fits counts. */
const packages: readonly (readonly [RegExp, ...string[]])[] = [
  [/^openai 7/, 'openai-7'],
  [/^openai agents/, '@openai/agents'],
  [/^(openai|azure|openrouter)/, 'openai'],
  [/^anthropic/, '@anthropic-ai/sdk'],
  [/^google 3/, '@google/genai-3'],
  [/^google/, '@google/genai'],
  [/^ollama/, 'ollama'],
  [/^groq/, 'groq-sdk'],
  [/^mistral/, '@mistralai/mistralai'],
  [/^bedrock/, '@aws-sdk/client-bedrock-runtime'],
  [/^langchain/, 'langchain', '@langchain/openai'],
  [/^ai sdk 7.*anthropic/, 'ai-7', '@ai-sdk/anthropic-4'],
  [/^ai sdk 7/, 'ai-7', '@ai-sdk/openai-4'],
  [/^ai sdk, anthropic/, 'ai', '@ai-sdk/anthropic'],
  [/^ai sdk, bedrock/, 'ai', '@ai-sdk/amazon-bedrock'],
  [/^ai sdk, openrouter/, 'ai', '@openrouter/ai-sdk-provider'],
  [/^ai sdk/, 'ai', '@ai-sdk/openai'],
];

const modules = new URL('../node_modules/', import.meta.url);

/** A package under its own name, with the version that is installed. */
function versionOf(name: string): string {
  const manifest = readFileSync(new URL(`${name}/package.json`, modules), 'utf8');
  const { name: own, version } = JSON.parse(manifest) as { name: string; version: string };
  return `\`${own}\` ${version}`;
}

/** What becomes of every set-up, as docs/adapters.md says: only the three requests are refused that fit. */
const outcome = { finished: 12, accepted: 48, invalid: 0, overflowed: setUpServer.overflowAt.length };

/**
 * A set-up as a row for itself: its packages, its adapter and its name. The table in docs/adapters.md puts those of the same packages into one row.
 * @throws Error if the run ended in another way than every set-up does, or nothing says which packages it uses
 */
export function setUpRow(run: MeasuredRun, adapter: string): string {
  for (const [figure, expected] of Object.entries(outcome) as [keyof typeof outcome, number][])
    if (run[figure] !== expected)
      throw new Error(`${run.agent} has ${figure} ${run[figure]}, not ${expected}.`);
  const [, ...names] = packages.find(([beginning]) => beginning.test(run.agent)) ?? [];
  if (names.length === 0) throw new Error(`Nothing says which packages "${run.agent}" uses.`);
  return `| ${names.map(versionOf).join(', ')} | \`${adapter}\` | ${run.agent} |`;
}
