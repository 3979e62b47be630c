import type { Content, GoogleGenAI, Part } from '@google/genai';
import { type Agent, connection, systemPrompt } from './agent.js';
import { type Offered, toolLoop } from './tool-loop.js';

/** Google's SDK, by its client, with a model that signs its thoughts. */
export const googleAgent =
  (Client: typeof GoogleGenAI, streams = false): Agent =>
  (options) => {
    const { apiKey, baseURL: baseUrl, ...rest } = connection(options, '');
    const { models } = new Client({ apiKey, httpOptions: { baseUrl, ...rest } });
    return toolLoop<Content>(options, [], {
      said: ({ prompt: text, image: data }) => ({
        role: 'user',
        parts: [{ text }, ...(data ? [{ inlineData: { mimeType: 'image/png', data } }] : [])],
      }),
      async ask(contents, offered) {
        const request = requestFor(contents, offered);
        const pieces = streams
          ? await models.generateContentStream(request)
          : [await models.generateContent(request)];
        const parts: Part[] = [];
        for await (const { candidates } of pieces) parts.push(...(candidates?.[0]?.content?.parts ?? []));
        const calls = parts
          .flatMap(({ functionCall }) => functionCall ?? [])
          .map(({ name = '', args }) => ({ name, input: args }));
        const text = parts.map(({ text, thought }) => (thought ? '' : (text ?? ''))).join('');
        return { entry: { role: 'model', parts }, calls, text };
      },
      results: (answered) => ({
        role: 'user',
        parts: answered.map(({ name, output }) => ({ functionResponse: { name, response: { output } } })),
      }),
    });
  };

const requestFor = (contents: Content[], offered: readonly Offered[]) => ({
  model: 'gemini-3-pro',
  contents,
  config: {
    systemInstruction: systemPrompt,
    tools: [
      {
        functionDeclarations: offered.map(({ schema, ...tool }) => ({
          ...tool,
          parametersJsonSchema: schema,
        })),
      },
    ],
    thinkingConfig: { includeThoughts: true },
  },
});
