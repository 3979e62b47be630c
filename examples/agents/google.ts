// An agent on Google's Gemini. `contextFetch` keeps its conversation inside the window.
// Run: npm run build && GEMINI_API_KEY=… node --import tsx examples/agents/google.ts "What does README.md say?"

import { readFile } from 'node:fs/promises';
import { contextFetch } from '@ctx/fetch';
import { type Content, GoogleGenAI, type Part } from '@google/genai';

/** Tokens. Default: the window of the model. */
const contextWindow = Number(process.env.CONTEXT_WINDOW) || undefined;
const google = new GoogleGenAI({ httpOptions: { fetch: contextFetch({ config: { contextWindow } }) } });

const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const declared = { name: 'read_file', description: 'Reads a text file.', parametersJsonSchema: schema };
const config = {
  systemInstruction: 'You answer questions about the files of this folder.',
  tools: [{ functionDeclarations: [declared] }],
};
const contents: Content[] = [];

for (const task of process.argv.slice(2)) {
  contents.push({ role: 'user', parts: [{ text: task }] });
  for (;;) {
    const answer = await google.models.generateContent({ model: 'gemini-3-pro', config, contents });
    contents.push(answer.candidates?.[0]?.content ?? {});
    if (!answer.functionCalls?.length) {
      console.log(answer.text);
      break;
    }
    const responses: Part[] = [];
    for (const { args, ...call } of answer.functionCalls) {
      const output = await readFile(String(args?.path), 'utf8').catch(String);
      responses.push({ functionResponse: { ...call, response: { output } } });
    }
    contents.push({ role: 'user', parts: responses });
  }
}
