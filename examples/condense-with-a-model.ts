// Condenses a recorded session with a language model. Here a local server stands for it, which streams like OpenAI's API.
// Run: npm run build && node --import tsx examples/condense-with-a-model.ts

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createContainer, messageText, summarizerToken } from '@ctx/core';
import { createContextManager, registerDefaults } from '@ctx/presets';
import { readSession } from '@ctx/sessions';
import { createSummarizer, openaiCompatible } from '@ctx/strategy-condense';

const file = fileURLToPath(new URL('sessions/late-check.openai.jsonl', import.meta.url));
const answer = [
  '## Previous Conversation\nThe assistant looked into a check that came too late, ',
  'read the sources of the context manager and ran its tests.\n\n',
  '## Current Work\nThe trigger is being changed so that it fires on the earliest condition.',
];

/** Streams a summary to whoever asks, on loopback. */
async function startModel() {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const send = (data: unknown) => response.write(`data: ${JSON.stringify(data)}\n\n`);
      for (const content of answer) send({ choices: [{ delta: { content } }] });
      send({ choices: [{ delta: {}, finish_reason: 'stop' }] });
      send({ choices: [], usage: { prompt_tokens: 21_000, completion_tokens: 60 } });
      response.end('data: [DONE]\n\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return { baseUrl: `http://127.0.0.1:${port}/v1`, close };
}

export async function main() {
  const { baseUrl, close } = await startModel();
  const model = openaiCompatible({ baseUrl, model: 'stub' });
  const container = createContainer();
  container.register(summarizerToken, { useValue: createSummarizer({ model }) });
  registerDefaults(container);
  const manager = createContextManager({
    container,
    config: { contextWindow: 30_000, pipeline: ['condense', 'smart-truncation', 'sliding-window'] },
  });
  const { messages } = await readSession(file);
  for (const message of messages) {
    manager.append(message);
    const { record } = await manager.checkAndCompress({ beforeSend: true });
    if (record === undefined) continue;
    console.log(`${record.strategy}: ${record.tokensBefore} tokens → ${record.tokensAfter}`);
    console.log(JSON.stringify(record.stages[0]?.notes));
  }
  const summary = manager.view().find((message) => message.summary === true);
  if (summary !== undefined) console.log(`\n${messageText(summary).slice(0, 600)} …`);
  console.log(`\n${JSON.stringify(manager.status())}`);
  await close();
  return { manager, summary };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
