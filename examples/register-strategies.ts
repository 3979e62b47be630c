// Chooses strategies per provider and model in a configuration file, and shows the error for a wrong name.
// Run: npm run build && node --import tsx examples/register-strategies.ts

import { pathToFileURL } from 'node:url';
import { ContextManager, createContainer, type ModelId, strategyNames } from '@ctx/core';
import { explainChoice, registerDefaults } from '@ctx/presets';
import config from './ctx.config.js';

const models: ModelId[] = [
  { provider: 'openai', model: 'o1-mini' },
  { model: 'openai/o1' },
  { provider: 'anthropic', model: 'claude-sonnet-4-5' },
  { provider: 'openrouter', model: 'anthropic/claude-haiku-4-5' },
  { provider: 'openai', model: 'gpt-5' },
  { provider: 'ollama', model: 'llama3' },
];

export function main() {
  const container = registerDefaults(createContainer());
  console.log(`registered: ${strategyNames(container).join(', ')}\n`);

  const chosen = models.map((id) => {
    const manager = new ContextManager({ ...id, config, container });
    const { maxTokens, targetTokens } = manager.stats();
    const name = [id.provider, id.model].filter(Boolean).join(' ');
    const preset = explainChoice(id);
    console.log(`${name}: ${manager.pipeline.join(' + ')}, from ${maxTokens} down to ${targetTokens} tokens`);
    console.log(`  without the file: ${preset.pipeline.join(' + ')}, because ${preset.why}`);
    return { name, pipeline: manager.pipeline, preset: preset.pipeline, maxTokens, targetTokens };
  });

  const errors = [
    { pipeline: ['midle-removal'] },
    { options: { 'middle-removal': { preserveStart: 0 } } },
    { trigger: { fraction: 0.5 }, target: { fraction: 0.6 } },
    { triger: { fraction: 0.5 } },
  ].map((wrong) => {
    try {
      new ContextManager({ config: wrong, container });
    } catch (error) {
      return (error as Error).message;
    }
    return 'no error';
  });
  console.log(`\n${errors.join('\n')}`);
  return { chosen, errors };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
