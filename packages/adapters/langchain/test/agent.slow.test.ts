import { tasks } from '@ctx/agents-test';
import type { Warning } from '@ctx/conversation';
import { startOpenAiServer } from '@ctx/servers';
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, HumanMessage, tool } from 'langchain';
import { z } from 'zod';
import { contextMiddleware } from '../src/index.js';

/** Tokens. Small enough that the work of all tasks does not fit. */
const window = 12_000;

test('an agent that streams recovers from overflows', async () => {
  const server = await startOpenAiServer({ window, overflowAt: [7, 12], overflowBy: 'stream' });
  const warnings: Warning[] = [];
  const config = { contextWindow: window };
  const ours = contextMiddleware({ config, onWarning: (warning) => warnings.push(warning) });
  const model = new ChatOpenAI({
    apiKey: 'sk-test',
    model: 'gpt-4.1',
    maxRetries: 0,
    configuration: { baseURL: `${server.url}/v1` },
  });
  const read = tool(({ path }: { path: string }) => `const from = '${path}';\n`.repeat(60), {
    name: 'read_file',
    description: 'Reads a file.',
    schema: z.object({ path: z.string() }),
  });
  const agent = createAgent({ model, tools: [read], middleware: [ours], checkpointer: new MemorySaver() });
  for (const { prompt } of tasks(4)) {
    const options = { configurable: { thread_id: 'one' }, streamMode: 'messages' as const };
    const pieces: string[] = [];
    for await (const [piece] of await agent.stream({ messages: [new HumanMessage(prompt)] }, options))
      pieces.push(piece.text);
    expect(pieces.join('')).toContain('Done – ');
  }
  await server.close();
  expect({ warnings, invalid: server.invalid }).toEqual({ warnings: [], invalid: 0 });
  expect(server).toMatchObject({ overflowed: 2, refused: 2 });
});
