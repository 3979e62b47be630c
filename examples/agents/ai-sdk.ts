// An agent on the AI SDK. `contextFetch` keeps its conversation inside the window, also between the steps of one call.
// Run: npm run build && OPENAI_API_KEY=… node --import tsx examples/agents/ai-sdk.ts "What does README.md say?"

import { readFile } from 'node:fs/promises';
import { createOpenAI } from '@ai-sdk/openai';
import { contextFetch } from '@ctx/fetch';
import { generateText, type ModelMessage, stepCountIs, tool } from 'ai';
import { z } from 'zod';

/** Tokens. Default: the window of the model. */
const contextWindow = Number(process.env.CONTEXT_WINDOW) || undefined;
const openai = createOpenAI({ fetch: contextFetch({ config: { contextWindow } }) });

const read_file = tool({
  description: 'Reads a text file.',
  inputSchema: z.object({ path: z.string() }),
  execute: ({ path }) => readFile(path, 'utf8').catch(String),
});
const messages: ModelMessage[] = [];

for (const task of process.argv.slice(2)) {
  messages.push({ role: 'user', content: task });
  const { text, response } = await generateText({
    model: openai('gpt-5'),
    system: 'You answer questions about the files of this folder.',
    messages,
    tools: { read_file },
    stopWhen: stepCountIs(20),
    providerOptions: { openai: { store: false } }, // so that OpenAI is sent the whole conversation
  });
  messages.push(...response.messages);
  console.log(text);
}
