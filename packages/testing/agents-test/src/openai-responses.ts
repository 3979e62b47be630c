import OpenAI from 'openai';
import type { Response, ResponseInput, ResponseInputItem } from 'openai/resources/responses/responses';
import OpenAI7 from 'openai-7';
import { type Agent, type AgentOptions, connection, systemPrompt, urlOf } from './agent.js';
import { type Offered, toolLoop } from './tool-loop.js';

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

type Ask = (client: OpenAI, request: ReturnType<typeof requestFor>) => Promise<Pick<Response, 'output'>>;

/** An agent on Responses with a client of OpenAI's SDK: nothing stored, encrypted reasoning sent back. */
const responsesAgent =
  (clientFor: (options: AgentOptions) => unknown, ask: Ask): Agent =>
  (options) => {
    const client = clientFor(options) as OpenAI;
    return toolLoop<ResponseInputItem>(options, [], {
      said: ({ prompt: text, image }) => ({
        role: 'user',
        content: image
          ? [
              { type: 'input_text', text },
              { type: 'input_image', detail: 'auto', image_url: urlOf(image) },
            ]
          : text,
      }),
      async ask(input, offered) {
        const { output } = await ask(client, requestFor(input, offered));
        const calls = output
          .filter((item) => item.type === 'function_call')
          .map(({ call_id: id, name, arguments: input }) => ({ id, name, input }));
        const parts = output.flatMap((item) => (item.type === 'message' ? item.content : []));
        const text = parts.map((part) => (part.type === 'output_text' ? part.text : '')).join('');
        return { entry: output as ResponseInput, calls, text };
      },
      results: (answered) =>
        answered.map(({ id = '', output }) => ({ type: 'function_call_output', call_id: id, output })),
    });
  };

const create: Ask = (client, request) => client.responses.create(request);
const clientFor = (options: AgentOptions) => new OpenAI(connection(options));

/** The OpenAI SDK with Responses. */
export const openAiResponses = responsesAgent(clientFor, create);

/** OpenAI SDK 7. The versions differ only in what these agents do not use. */
export const openAi7Responses = responsesAgent((options) => new OpenAI7(connection(options)), create);

/**
 * The same, streamed. Not with the SDK's `stream()`: it adds fields to the items which OpenAI refuses when they are sent back.
 */
export const openAiResponsesStreamed = responsesAgent(clientFor, async (client, request) => {
  for await (const event of await client.responses.create({ ...request, stream: true })) {
    if (event.type === 'response.completed') return event.response;
    if (event.type === 'response.failed') throw new Error(event.response.error?.message);
  }
  throw new Error('The stream ended too early.');
});
