import {
  BedrockRuntimeClient,
  type ContentBlock,
  ConverseCommand,
  type ConverseCommandInput,
  ConverseStreamCommand,
  type Message,
} from '@aws-sdk/client-bedrock-runtime';
import { contextBedrock } from '@ctx/fetch';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { type Agent, systemPrompt } from './agent.js';
import { toolLoop } from './tool-loop.js';

const modelId = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
/** What the client signs its requests with. */
export const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret of the test' };

type Ask = (client: BedrockRuntimeClient, request: ConverseCommandInput) => Promise<ContentBlock[]>;
type PluginOptions = Parameters<typeof contextBedrock>[0];

/** AWS's SDK with the Converse API and thinking, and with `contextBedrock` where options for it are given. */
export const bedrock = (options?: PluginOptions): Agent => bedrockAgent(converse, options);

/** The same, streamed. */
export const bedrockStreamed = (options?: PluginOptions): Agent => bedrockAgent(converseStream, options);

const converse: Ask = async (client, request) => {
  const { output } = await client.send(new ConverseCommand(request));
  return output?.message?.content ?? [];
};

const converseStream: Ask = async (client, request) => {
  const { stream } = await client.send(new ConverseStreamCommand(request));
  const blocks: { text?: string; thinking?: string; signature?: string; call?: object; input?: string }[] =
    [];
  for await (const { contentBlockStart, contentBlockDelta } of stream ?? []) {
    const at = (contentBlockStart ?? contentBlockDelta)?.contentBlockIndex;
    if (at === undefined) continue;
    blocks[at] ??= {};
    const block = blocks[at];
    const call = contentBlockStart?.start?.toolUse;
    if (call !== undefined) block.call = call;
    const { text, toolUse, reasoningContent } = contentBlockDelta?.delta ?? {};
    if (text !== undefined) block.text = (block.text ?? '') + text;
    if (toolUse !== undefined) block.input = (block.input ?? '') + toolUse.input;
    if (reasoningContent?.text !== undefined) block.thinking = (block.thinking ?? '') + reasoningContent.text;
    if (reasoningContent?.signature !== undefined) block.signature = reasoningContent.signature;
  }
  return blocks.map(({ text, thinking, signature, call, input = '{}' }): ContentBlock => {
    if (call !== undefined)
      return { toolUse: { ...call, input: JSON.parse(input) } } as ContentBlock.ToolUseMember;
    if (thinking === undefined) return { text: text ?? '' };
    return { reasoningContent: { reasoningText: { text: thinking, signature } } };
  });
};

const bedrockAgent =
  (ask: Ask, options?: PluginOptions): Agent =>
  (where) => {
    const client = new BedrockRuntimeClient({
      region: 'us-east-1',
      endpoint: where.baseURL,
      credentials,
      maxAttempts: 1,
      // By default the SDK speaks HTTP/2, which needs TLS at Bedrock; the server of the test speaks HTTP/1.
      requestHandler: new NodeHttpHandler(),
    });
    if (options !== undefined) client.middlewareStack.use(contextBedrock(options));
    return toolLoop<Message>(where, [], {
      said: ({ prompt, image }) => ({
        role: 'user',
        content: [
          { text: prompt },
          ...(image
            ? [{ image: { format: 'png' as const, source: { bytes: Buffer.from(image, 'base64') } } }]
            : []),
        ],
      }),
      async ask(messages, offered) {
        const content = await ask(client, {
          modelId,
          system: [{ text: systemPrompt }],
          messages,
          toolConfig: {
            tools: offered.map(({ name, description, schema }) => ({
              toolSpec: { name, description, inputSchema: { json: schema as never } },
            })),
          },
          inferenceConfig: { maxTokens: 4_096 },
          additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1_024 } },
        });
        const calls = content
          .flatMap(({ toolUse }) => toolUse ?? [])
          .map(({ toolUseId: id, name = '', input }) => ({ id, name, input }));
        return {
          entry: { role: 'assistant', content },
          calls,
          text: content.map(({ text = '' }) => text).join(''),
        };
      },
      results: (answered) => ({
        role: 'user',
        content: answered.map(({ id, output }) => ({
          toolResult: { toolUseId: id, content: [{ text: output }] },
        })),
      }),
    });
  };
