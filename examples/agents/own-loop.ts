// An agent with a loop and a client of its own. `conversation` takes its history and gives what to send.
// Run: npm run build && OPENAI_API_KEY=… node --import tsx examples/agents/own-loop.ts "What does README.md say?"

import { readFile } from 'node:fs/promises';
import { type AssistantChatMessage, type ChatMessage, openaiCodec } from '@ctx/codec-openai';
import { conversation } from '@ctx/conversation';

const { OPENAI_BASE_URL: url = 'https://api.openai.com/v1', OPENAI_API_KEY: key } = process.env;
const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const tools = [{ type: 'function', function: { name: 'read_file', parameters } }];

/** Tokens. Default: the window of the model. */
const contextWindow = Number(process.env.CONTEXT_WINDOW) || undefined;
const chat = conversation(openaiCodec, { model: 'gpt-5', tools, config: { contextWindow } });
const history: ChatMessage[] = [{ role: 'system', content: 'You answer questions about files.' }];

async function ask(messages: ChatMessage[]) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ model: 'gpt-5', messages, tools });
  const response = await fetch(`${url}/chat/completions`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as { choices: [{ message: AssistantChatMessage }]; usage: object };
}

for (const task of process.argv.slice(2)) {
  history.push({ role: 'user', content: task });
  for (;;) {
    chat.sync(history);
    const answer = (await chat.send(ask)).choices[0].message;
    history.push(answer);
    if (answer.content) console.log(answer.content);
    if (!answer.tool_calls?.length) break;
    for (const call of answer.tool_calls) {
      const { path } = JSON.parse(call.type === 'function' ? call.function.arguments : '{}');
      const content = await readFile(path, 'utf8').catch(String);
      history.push({ role: 'tool', tool_call_id: call.id, content });
    }
  }
}
