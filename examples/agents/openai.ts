// An agent on OpenAI's chat completions. `contextFetch` keeps its conversation inside the window.
// Run: npm run build && OPENAI_API_KEY=… node --import tsx examples/agents/openai.ts "What does README.md say?"

import { readFile } from 'node:fs/promises';
import { contextFetch } from '@ctx/fetch';
import OpenAI from 'openai';

/** Tokens. Default: the window of the model. */
const contextWindow = Number(process.env.CONTEXT_WINDOW) || undefined;
const openai = new OpenAI({ fetch: contextFetch({ config: { contextWindow } }) });

const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const tools: OpenAI.ChatCompletionTool[] = [
  { type: 'function', function: { name: 'read_file', description: 'Reads a text file.', parameters } },
];
const messages: OpenAI.ChatCompletionMessageParam[] = [
  { role: 'system', content: 'You answer questions about the files of this folder.' },
];

for (const task of process.argv.slice(2)) {
  messages.push({ role: 'user', content: task });
  for (;;) {
    const { choices } = await openai.chat.completions.create({ model: 'gpt-5', messages, tools });
    const answer = choices[0]?.message;
    if (answer === undefined) throw new Error('There is no answer.');
    messages.push(answer);
    if (!answer.tool_calls?.length) {
      console.log(answer.content);
      break;
    }
    for (const call of answer.tool_calls) {
      const { path } = JSON.parse(call.type === 'function' ? call.function.arguments : '{}');
      const content = await readFile(path, 'utf8').catch(String);
      messages.push({ role: 'tool', tool_call_id: call.id, content });
    }
  }
}
