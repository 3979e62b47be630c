// An agent loop that condenses with a language model. A local server plays both models: it answers the agent from a script, and
// with a summary when it is asked for one. Run: npm run build && node --import tsx examples/condense-with-a-model.ts

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { type AssistantChatMessage, type ChatMessage, openaiCodec } from '@ctx/codec-openai';
import { messageText } from '@ctx/core';
import { createContextManager, ladder } from '@ctx/presets';

interface Asked {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
}

const summary = `## Previous Conversation
The user has parts looked through one after the other, and the assistant reads their files.

## Current Work
The last part that was asked for is being read.`;

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
    const { model, messages } = JSON.parse(text) as Asked;
    const message = model === 'summariser' ? { role: 'assistant', content: summary } : nextOf(messages);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ choices: [{ message }], usage: { prompt_tokens: Math.ceil(text.length / 4) } }),
    );
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
  /** Asks a model of this server, and gives the message that it answers. */
  const ask = async (model: string, messages: readonly ChatMessage[], signal: AbortSignal | null = null) => {
    const body = JSON.stringify({ model, messages });
    const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', body, signal });
    const { choices } = (await response.json()) as { choices: { message: AssistantChatMessage }[] };
    return choices[0]?.message;
  };
  const manager = createContextManager({
    summarize: async (prompt, { signal }) =>
      String((await ask('summariser', [{ role: 'user', content: prompt }], signal))?.content),
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
      const message = await ask('agent', openaiCodec.fromMessages(manager.view()));
      if (message === undefined) break;
      for (const answer of openaiCodec.toMessages([message])) manager.append(answer);
      const calls = message.tool_calls ?? [];
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
