// An agent loop against a local server that speaks OpenAI's API and refuses requests larger than its window.
// Run: npm run build && node --import tsx examples/agent-loop.ts

import { pathToFileURL } from 'node:url';
import {
  type AssistantChatMessage,
  type ChatMessage,
  type ChatToolCall,
  openaiCodec,
  type ToolChatMessage,
} from '@ctx/codec-openai';
import { type ContextManager, messageText } from '@ctx/core';
import { createContextManager } from '@ctx/presets';
import { startStub } from './stub-server.js';

/** The server's real window, and the one in the configuration. */
const window = 8200;
const configuredWindow = 10_000;

const rule = 'Never touch the public API, and answer in one sentence.';
const tasks = [1, 2, 3, 4, 5].map((number) => `Task ${number}: find out what part ${number} is for.`);

/** What the model answers, in order: for each task some reads, two of them in parallel, and a sentence. */
const script: AssistantChatMessage[] = tasks.flatMap((_, task) => [
  calling(`task-${task}`, [{ path: `part-${task}/index.txt`, lines: 30 }]),
  calling(`more-${task}`, [
    { path: `part-${task}/a.txt`, lines: 100 },
    { path: `part-${task}/b.txt`, lines: 25 },
  ]),
  calling(`last-${task}`, [{ path: `part-${task}/notes.txt`, lines: 15 * (task + 1) }]),
  { role: 'assistant', content: `Part ${task + 1} holds notes.` },
]);

function calling(id: string, inputs: readonly object[]): AssistantChatMessage {
  const tool_calls = inputs.map((input, index) => ({
    id: `${id}-${index}`,
    type: 'function' as const,
    function: { name: 'read', arguments: JSON.stringify(input) },
  }));
  return { role: 'assistant', content: null, tool_calls };
}

/** The only tool: text that depends on nothing but its input. */
function runTool(call: ChatToolCall): ToolChatMessage {
  const { path, lines } = JSON.parse(call.type === 'function' ? call.function.arguments : '{}');
  const text = Array.from({ length: lines }, (_, line) => `${line + 1}: a line of ${path}, as it was read`);
  return { role: 'tool', tool_call_id: call.id, content: text.join('\n') };
}

interface Answer {
  readonly choices: readonly { readonly message: AssistantChatMessage }[];
  readonly usage: { readonly prompt_tokens: number };
}

/** Sends the view; after a refusal, sends a smaller one. */
async function ask(manager: ContextManager, url: string): Promise<AssistantChatMessage> {
  for (;;) {
    await manager.checkAndCompress({ beforeSend: true });
    const messages = openaiCodec.fromMessages(manager.view());
    const [violation] = openaiCodec.validate(messages);
    if (violation !== undefined) throw new Error(`messages[${violation.index}]: ${violation.detail}`);

    const body = JSON.stringify({ model: 'gpt-5', messages });
    const response = await fetch(url, { method: 'POST', body });
    const answer = await response.json();
    if (response.ok) {
      const { choices, usage } = answer as Answer;
      manager.reportUsage({ inputTokens: usage.prompt_tokens });
      return choices[0]?.message as AssistantChatMessage;
    }
    const { status } = await manager.recover(answer);
    if (status === 'unchanged' || status === 'failed') throw new Error(JSON.stringify(answer));
  }
}

export async function main() {
  const server = await startStub(script, window);
  const manager = createContextManager({
    provider: 'openai',
    model: 'gpt-5',
    config: { contextWindow: configuredWindow, reserve: 0 },
  });
  const records: string[] = [];
  manager.on('compression-end', ({ record }) => {
    records.push(record.reason);
    console.log(
      `${record.reason}\n  ${record.strategy}: ${record.tokensBefore} → ${record.tokensAfter} tokens`,
    );
  });
  const append = (natives: ChatMessage[]) =>
    openaiCodec.toMessages(natives).map((message) => manager.append(message));

  const [, ruleId] = append([
    { role: 'system', content: 'You read files and say what they are for.' },
    { role: 'user', content: rule },
  ]);
  if (ruleId !== undefined) manager.pin(ruleId);
  try {
    for (const task of tasks) {
      append([{ role: 'user', content: task }]);
      for (;;) {
        const answer = await ask(manager, server.url);
        const calls = answer.tool_calls ?? [];
        append([answer, ...calls.map(runTool)]);
        if (calls.length === 0) break;
      }
    }
  } finally {
    await server.close();
  }

  const sent = manager.view().map(messageText);
  const { accepted, refused, invalid, largest } = server.seen;
  console.log(
    `${accepted} requests were answered, the largest of ${largest} tokens; ${refused} were too large,`,
  );
  console.log(`${invalid.length} invalid. ${sent.length} of ${manager.transcript.length} messages are left.`);
  return { seen: server.seen, records, sent, rule, tasks, stats: manager.stats() };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
