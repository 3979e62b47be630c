import OpenAI from 'openai';
import type {
  Response,
  ResponseInput,
  ResponseInputContent,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import { type Agent, type AgentOptions, type AgentRun, systemPrompt, type Task } from './agent.js';
import { type Offered, toolLoop } from './tool-loop.js';

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

const requestFor = (input: ResponseInput, offered: readonly Offered[]) => ({
  model: 'gpt-5',
  input,
  tools: offered.map(({ name, description, schema }) => ({
    type: 'function' as const,
    name,
    description,
    parameters: { ...schema } as Record<string, unknown>,
    // Strict would have a model write every argument of recall in each call, as null.
    strict: name !== 'recall',
  })),
  instructions: systemPrompt,
  store: false,
  include: ['reasoning.encrypted_content' as const],
});

/** The loop of an agent on Responses, whatever asks the model. */
export function openAiResponsesLoop(
  options: AgentOptions,
  ask: (request: ReturnType<typeof requestFor>) => PromiseLike<Pick<Response, 'output'>>,
): Promise<AgentRun> {
  return toolLoop<ResponseInputItem>(options, [], {
    said: (task) => ({ role: 'user', content: contentOf(task) }),
    async ask(input, offered) {
      const response = await ask(requestFor(input, offered));
      const calls = response.output
        .filter((item) => item.type === 'function_call')
        .map(({ call_id: id, name, arguments: input }) => ({ id, name, input }));
      return { entry: response.output as ResponseInput, calls, text: textOf(response) };
    },
    results: (answered) =>
      answered.map(({ id = '', output }) => ({ type: 'function_call_output', call_id: id, output })),
  });
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
