// An agent on Anthropic's messages, with thinking. `contextFetch` keeps its conversation inside the window.
// Run: npm run build && ANTHROPIC_API_KEY=… node --import tsx examples/agents/anthropic.ts "What does README.md say?"

import { readFile } from 'node:fs/promises';
import Anthropic from '@anthropic-ai/sdk';
import { contextFetch } from '@ctx/fetch';

/** Tokens. Default: the window of the model. */
const contextWindow = Number(process.env.CONTEXT_WINDOW) || undefined;
const anthropic = new Anthropic({ fetch: contextFetch({ config: { contextWindow } }) });

const schema = { type: 'object' as const, properties: { path: { type: 'string' } }, required: ['path'] };
const request = {
  model: 'claude-sonnet-5-5',
  max_tokens: 4096,
  thinking: { type: 'adaptive' as const },
  system: 'You answer questions about the files of this folder.',
  tools: [{ name: 'read_file', description: 'Reads a text file.', input_schema: schema }],
};
const messages: Anthropic.MessageParam[] = [];

for (const task of process.argv.slice(2)) {
  messages.push({ role: 'user', content: task });
  for (;;) {
    const { content } = await anthropic.messages.create({ ...request, messages });
    messages.push({ role: 'assistant', content });
    for (const block of content) if (block.type === 'text') console.log(block.text);
    const calls = content.filter((block) => block.type === 'tool_use');
    if (calls.length === 0) break;
    const results = calls.map(async ({ id, input }) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: await readFile((input as { path: string }).path, 'utf8').catch(String),
    }));
    messages.push({ role: 'user', content: await Promise.all(results) });
  }
}
