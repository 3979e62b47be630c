import { defineConfig } from '@ctx/core';

/** The first rule that matches wins. What it leaves open comes from the presets of the model. */
export default defineConfig({
  trigger: { fraction: 0.8 },
  target: { fraction: 0.5 },
  rules: [
    {
      provider: 'openai',
      model: 'o1*',
      pipeline: ['middle-removal'],
      options: { 'middle-removal': { preserveStart: 8, preserveEnd: 8 } },
    },
    { provider: 'anthropic', pipeline: ['oldest-removal', 'middle-removal'], minMessagesToKeep: 6 },
    { pipeline: ['hybrid'] },
  ],
});
