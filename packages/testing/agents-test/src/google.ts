import { recallTool } from '@ctx/recall';
import { type Content, GoogleGenAI, type Part } from '@google/genai';
import { type Agent, type AgentOptions, type AgentRun, runTasks, systemPrompt, type Task } from './agent.js';
import { runTool, tools } from './tools.js';

const functionDeclarations = tools.map(({ name, description, schema }) => ({
  name,
  description,
  parametersJsonSchema: schema,
}));

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

const requestFor = (contents: Content[], declarations: object[]) => ({
  model: 'gemini-3-pro',
  contents,
  config: {
    systemInstruction: systemPrompt,
    tools: [{ functionDeclarations: declarations }],
    thinkingConfig: { includeThoughts: true },
  },
});

/** The loop of an agent on Google's API, whatever asks the model. */
function googleLoop(
  options: AgentOptions,
  ask: (request: ReturnType<typeof requestFor>) => Promise<Part[]>,
): Promise<AgentRun> {
  const contents: Content[] = [];
  const recall = options.recall && recallTool(options.recall);
  const offered =
    recall === undefined ? functionDeclarations : [...functionDeclarations, declarationOf(recall)];
  return runTasks(options, async (task, run) => {
    run.history = contents;
    contents.push({ role: 'user', parts: contentOf(task) });
    for (;;) {
      const parts = await ask(requestFor(contents, offered));
      contents.push({ role: 'model', parts });
      const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
      if (calls.length === 0) return parts.map(({ text, thought }) => (thought ? '' : (text ?? ''))).join('');
      run.toolCalls += calls.length;
      const responses: Part[] = [];
      for (const functionCall of calls) {
        const { name = '', args } = functionCall;
        const output = name === recall?.name ? await recall.run(args) : runTool(name, args);
        responses.push({ functionResponse: { name, response: { output } } });
      }
      contents.push({ role: 'user', parts: responses });
    }
  });
}

/** The recall tool as Google's API wants it. */
const declarationOf = ({ name, description, parameters }: ReturnType<typeof recallTool>) => ({
  name,
  description,
  parametersJsonSchema: parameters,
});

/** The parts of an answer, or of a piece of it. */
const partsIn = ({ candidates }: { candidates?: { content?: Content }[] }) =>
  candidates?.[0]?.content?.parts ?? [];

function contentOf({ prompt, image }: Task): Part[] {
  if (image === undefined) return [{ text: prompt }];
  return [{ text: prompt }, { inlineData: { mimeType: 'image/png', data: image } }];
}
