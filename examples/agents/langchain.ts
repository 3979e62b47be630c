// An agent on LangChain. `contextMiddleware` keeps what the model sees inside the window; the state keeps every message.
// Run: npm run build && OPENAI_API_KEY=… node --import tsx examples/agents/langchain.ts "What does README.md say?"

import { readFile } from 'node:fs/promises';
import { contextMiddleware } from '@ctx/langchain';
import { ChatOpenAI } from '@langchain/openai';
import { type BaseMessage, createAgent, HumanMessage, tool } from 'langchain';
import { z } from 'zod';

/** Tokens. Default: the window of the model. */
const contextWindow = Number(process.env.CONTEXT_WINDOW) || undefined;

const readTool = tool(({ path }: { path: string }) => readFile(path, 'utf8').catch(String), {
  name: 'read_file',
  description: 'Reads a text file.',
  schema: z.object({ path: z.string() }),
});
const agent = createAgent({
  model: new ChatOpenAI({ model: 'gpt-4.1' }),
  tools: [readTool],
  middleware: [contextMiddleware({ config: { contextWindow } })],
  systemPrompt: 'You answer questions about the files of this folder.',
});
let messages: BaseMessage[] = [];

for (const task of process.argv.slice(2)) {
  const state = await agent.invoke({ messages: [...messages, new HumanMessage(task)] });
  messages = state.messages;
  console.log(messages.at(-1)?.text);
}
