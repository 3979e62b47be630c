// An agent on OpenAI's Responses, with nothing stored there. `contextFetch` keeps its conversation inside the window.
// Run: npm run build && OPENAI_API_KEY=… node --import tsx examples/agents/openai-responses.ts "What does README.md say?"

import { readFile } from 'node:fs/promises';
import { contextFetch } from '@ctx/fetch';
import OpenAI from 'openai';

/** Tokens. Default: the window of the model. */
const contextWindow = Number(process.env.CONTEXT_WINDOW) || undefined;
const openai = new OpenAI({ fetch: contextFetch({ config: { contextWindow } }) });

const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const request = {
  model: 'gpt-5',
  instructions: 'You answer questions about the files of this folder.',
  tools: [{ type: 'function', name: 'read_file', description: 'Reads a file.', parameters, strict: false }],
  store: false,
  include: ['reasoning.encrypted_content'],
} satisfies OpenAI.Responses.ResponseCreateParams;
const input: OpenAI.Responses.ResponseInput = [];

for (const task of process.argv.slice(2)) {
  input.push({ role: 'user', content: task });
  for (;;) {
    const { output, output_text } = await openai.responses.create({ ...request, input });
    input.push(...(output as OpenAI.Responses.ResponseInput));
    const calls = output.filter((item) => item.type === 'function_call');
    if (calls.length === 0) {
      console.log(output_text);
      break;
    }
    for (const { call_id, arguments: json } of calls) {
      const text = await readFile(JSON.parse(json).path, 'utf8').catch(String);
      input.push({ type: 'function_call_output', call_id, output: text });
    }
  }
}
