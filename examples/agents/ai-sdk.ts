// An agent on the AI SDK. `contextMiddleware` keeps its conversation inside the window, also between the steps of one call.
// Run: npm run build && OPENAI_API_KEY=… node --import tsx examples/agents/ai-sdk.ts "What does README.md say?"

import { readFile } from 'node:fs/promises';
import { openai } from '@ai-sdk/openai';
import { contextMiddleware } from '@ctx/ai-sdk';
import { generateText, type ModelMessage, stepCountIs, tool, wrapLanguageModel } from 'ai';
import { z } from 'zod';

/** Tokens. Default: the window of the model. */
const contextWindow = Number(process.env.CONTEXT_WINDOW) || undefined;
const middleware = contextMiddleware({ config: { contextWindow } });
const model = wrapLanguageModel({ model: openai('gpt-5'), middleware });

const read_file = tool({
  description: 'Reads a text file.',
  inputSchema: z.object({ path: z.string() }),
  execute: ({ path }) => readFile(path, 'utf8').catch(String),
});
const messages: ModelMessage[] = [];

for (const task of process.argv.slice(2)) {
  messages.push({ role: 'user', content: task });
  const { text, response } = await generateText({
    model,
    system: 'You answer questions about the files of this folder.',
    messages,
    tools: { read_file },
    stopWhen: stepCountIs(20),
  });
  messages.push(...response.messages);
  console.log(text);
}
