import { type Content, GoogleGenAI, type Part } from '@google/genai';
import { type Agent, type AgentOptions, type AgentRun, systemPrompt, type Task } from './agent.js';
import { type Offered, toolLoop } from './tool-loop.js';

/** Google's SDK, by its client, with a model that signs its thoughts. */
export const googleOf =
  (Client: typeof GoogleGenAI): Agent =>
  (options) => {
    const { models } = clientFor(options, Client);
    return googleLoop(options, async (request) => partsIn(await models.generateContent(request)));
  };

export const google = googleOf(GoogleGenAI);

/** The same, streamed. */
export const googleStreamed: Agent = (options) => {
  const { models } = clientFor(options, GoogleGenAI);
  return googleLoop(options, async (request) => {
    const parts: Part[] = [];
    for await (const chunk of await models.generateContentStream(request)) parts.push(...partsIn(chunk));
    return parts;
  });
};

const clientFor = ({ baseURL, fetch }: AgentOptions, Client: typeof GoogleGenAI) =>
  new Client({ apiKey: 'test', httpOptions: { baseUrl: baseURL, ...(fetch && { fetch }) } });

const requestFor = (contents: Content[], offered: readonly Offered[]) => ({
  model: 'gemini-3-pro',
  contents,
  config: {
    systemInstruction: systemPrompt,
    tools: [
      {
        functionDeclarations: offered.map(({ name, description, schema }) => ({
          name,
          description,
          parametersJsonSchema: schema,
        })),
      },
    ],
    thinkingConfig: { includeThoughts: true },
  },
});

/** The loop of an agent on Google's API, whatever asks the model. */
function googleLoop(
  options: AgentOptions,
  ask: (request: ReturnType<typeof requestFor>) => Promise<Part[]>,
): Promise<AgentRun> {
  return toolLoop<Content>(options, [], {
    said: (task) => ({ role: 'user', parts: contentOf(task) }),
    async ask(contents, offered) {
      const parts = await ask(requestFor(contents, offered));
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
}

/** The parts of an answer, or of a piece of it. */
const partsIn = ({ candidates }: { candidates?: { content?: Content }[] }) =>
  candidates?.[0]?.content?.parts ?? [];

function contentOf({ prompt, image }: Task): Part[] {
  if (image === undefined) return [{ text: prompt }];
  return [{ text: prompt }, { inlineData: { mimeType: 'image/png', data: image } }];
}
