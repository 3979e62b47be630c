// An agent loop that condenses with a language model. A local server plays both models: it answers the agent from a script, and
// streams a summary like OpenAI's API when it is asked for one. Run: npm run build && node --import tsx examples/condense-with-a-model.ts

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { type AssistantChatMessage, type ChatMessage, openaiCodec } from '@ctx/codec-openai';
import { createContainer, messageText, summarizerToken } from '@ctx/core';
import { openaiCompatible } from '@ctx/models';
import { createContextManager, ladder, registerDefaults } from '@ctx/presets';
import { createSummarizer } from '@ctx/strategy-condense';

interface Asked {
  readonly stream?: boolean;
  readonly messages: readonly ChatMessage[];
}

const summary = [
  '## Previous Conversation\nThe user has parts looked through one after the other, ',
  'and the assistant reads their files.\n\n',
  '## Current Work\nThe last part that was asked for is being read.',
];

/** Reads a file for each task, then says that it is done. */
function nextOf(messages: readonly ChatMessage[]): AssistantChatMessage {
  const last = messages.at(-1);
  if (last?.role === 'tool') return { role: 'assistant', content: `${last.tool_call_id} holds notes.` };
  const id = `part-${/\d+/.exec(String(last?.content))?.[0]}`;
  const call = { name: 'read', arguments: JSON.stringify({ path: `${id}/notes.txt` }) };
  return { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: call }] };
}

async function startModel() {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { stream = false, messages } = JSON.parse(text) as Asked;
    if (!stream) {
      const message = nextOf(messages);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ choices: [{ message }], usage: { prompt_tokens: Math.ceil(text.length / 4) } }),
      );
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (data: unknown) => response.write(`data: ${JSON.stringify(data)}\n\n`);
    for (const content of summary) send({ choices: [{ delta: { content } }] });
    send({ choices: [{ delta: {}, finish_reason: 'stop' }] });
    send({ choices: [], usage: { prompt_tokens: Math.ceil(text.length / 4), completion_tokens: 60 } });
    response.end('data: [DONE]\n\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return { baseUrl: `http://127.0.0.1:${port}/v1`, close };
}

/** The only tool: text that depends on nothing but its input. */
function read(path: string): string {
  return Array.from({ length: 60 }, (_, line) => `${line + 1}: a line of ${path}, as it was read`).join('\n');
}

export async function main() {
  const { baseUrl, close } = await startModel();
  const model = openaiCompatible({ baseUrl, model: 'stub', prices: { input: 1, output: 4 } });
  const container = createContainer();
  container.register(summarizerToken, { useValue: createSummarizer({ model }) });
  registerDefaults(container);
  const manager = createContextManager({
    container,
    config: { contextWindow: 16_000, reserve: 1_000, trigger: { fraction: 0.6 }, pipeline: [...ladder] },
  });
  manager.on('compression-end', ({ record }) => {
    console.log(`${record.strategy}: ${record.tokensBefore} tokens → ${record.tokensAfter}`);
    console.log(JSON.stringify(record.stages[0]?.notes));
  });

  for (let task = 1; task <= 20; task += 1) {
    manager.append({
      role: 'user',
      content: `Task ${task}: find out what part ${task} is for. Never change it.`,
    });
    for (let isDone = false; !isDone; ) {
      await manager.checkAndCompress({ beforeSend: true });
      const messages = openaiCodec.fromMessages(manager.view());
      const response = await fetch(`${baseUrl}/chat/completions`, {
        method: 'POST',
        body: JSON.stringify({ messages }),
      });
      const { choices } = (await response.json()) as { choices: { message: AssistantChatMessage }[] };
      const [answer] = openaiCodec.toMessages(choices.map(({ message }) => message));
      if (answer === undefined) break;
      manager.append(answer);
      const calls = choices[0]?.message.tool_calls ?? [];
      for (const { id } of calls) {
        const content = [
          { type: 'tool-result' as const, toolCallId: id, toolName: 'read', output: read(id) },
        ];
        manager.append({ role: 'tool', content });
      }
      isDone = calls.length === 0;
    }
  }
  const condensed = manager.view().findLast((message) => message.summary === true);
  if (condensed !== undefined) console.log(`\n${messageText(condensed)}\n`);
  console.log(JSON.stringify(manager.status()));
  await close();
  return { manager, summary: condensed };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
