import { recallTool } from '@ctx/recall';
import OpenAI from 'openai';
import type { Response, ResponseInput, ResponseInputContent } from 'openai/resources/responses/responses';
import { type Agent, type AgentOptions, type AgentRun, runTasks, systemPrompt, type Task } from './agent.js';
import { runTool, tools } from './tools.js';

const declared = tools.map(({ name, description, schema }) => ({
  type: 'function' as const,
  name,
  description,
  parameters: schema as unknown as Record<string, unknown>,
  strict: true as boolean,
}));

/** The OpenAI SDK with Responses: nothing stored, encrypted reasoning sent back. */
export const openAiResponses: Agent = (options) => {
  const client = clientFor(options);
  return openAiResponsesLoop(options, (request) => client.responses.create(request));
};

/**
 * The same, streamed. Not with the SDK's `stream()`: it adds fields to the items which OpenAI refuses when they are sent back.
 */
export const openAiResponsesStreamed: Agent = (options) => {
  const client = clientFor(options);
  return openAiResponsesLoop(options, async (request) => {
    for await (const event of await client.responses.create({ ...request, stream: true })) {
      if (event.type === 'response.completed') return event.response;
      if (event.type === 'response.failed') throw new Error(event.response.error?.message);
    }
    throw new Error('The stream ended too early.');
  });
};

const clientFor = ({ baseURL, fetch }: AgentOptions) =>
  new OpenAI({ apiKey: 'sk-test', baseURL: `${baseURL}/v1`, ...(fetch && { fetch }) });

const requestFor = (input: ResponseInput, tools: typeof declared) => ({
  model: 'gpt-5',
  input,
  tools,
  instructions: systemPrompt,
  store: false,
  include: ['reasoning.encrypted_content' as const],
});

/** The loop of an agent on Responses, whatever asks the model. */
export function openAiResponsesLoop(
  options: AgentOptions,
  ask: (request: ReturnType<typeof requestFor>) => PromiseLike<Pick<Response, 'output'>>,
): Promise<AgentRun> {
  const input: ResponseInput = [];
  const recall = options.recall && recallTool(options.recall);
  const offered = recall === undefined ? declared : [...declared, responsesTool(recall)];
  return runTasks(options, async (task, run) => {
    run.history = input;
    input.push({ role: 'user', content: contentOf(task) });
    for (;;) {
      const response = await ask(requestFor(input, offered));
      input.push(...(response.output as ResponseInput));
      const calls = response.output.filter((item) => item.type === 'function_call');
      if (calls.length === 0) return textOf(response);
      for (const call of calls) {
        const { call_id, name, arguments: json } = call;
        run.toolCalls += 1;
        const output = name === recall?.name ? await recall.run(json) : runTool(name, JSON.parse(json));
        input.push({ type: 'function_call_output', call_id, output });
      }
    }
  });
}

/** The recall tool as Responses want it. Strict would have a model write every argument in each call, as null. */
function responsesTool({ name, description, parameters }: ReturnType<typeof recallTool>) {
  return { type: 'function' as const, name, description, parameters: { ...parameters }, strict: false };
}

function textOf({ output }: Pick<Response, 'output'>): string {
  const parts = output.flatMap((item) => (item.type === 'message' ? item.content : []));
  return parts.map((part) => (part.type === 'output_text' ? part.text : '')).join('');
}

function contentOf({ prompt, image }: Task): string | ResponseInputContent[] {
  if (image === undefined) return prompt;
  return [
    { type: 'input_text', text: prompt },
    { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${image}` },
  ];
}
