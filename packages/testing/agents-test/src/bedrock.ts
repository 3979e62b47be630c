import {
  BedrockRuntimeClient,
  type ContentBlock,
  ConverseCommand,
  type ConverseCommandInput,
  ConverseStreamCommand,
  type Message,
  type Tool,
} from '@aws-sdk/client-bedrock-runtime';
import { contextBedrock } from '@ctx/fetch';
import { recallTool } from '@ctx/recall';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { type Agent, type AgentOptions, runTasks, systemPrompt, type Task } from './agent.js';
import { runTool, tools } from './tools.js';

const modelId = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
/** What the client signs its requests with. */
export const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret of the test' };

type Ask = (client: BedrockRuntimeClient, request: ConverseCommandInput) => Promise<ContentBlock[]>;
type PluginOptions = Parameters<typeof contextBedrock>[0];

/** AWS's SDK with the Converse API and thinking, and with `contextBedrock` where options for it are given. */
export const bedrock =
  (options?: PluginOptions): Agent =>
  (where) =>
    bedrockLoop(where, converse, options && contextBedrock(options));

/** The same, streamed. */
export const bedrockStreamed =
  (options?: PluginOptions): Agent =>
  (where) =>
    bedrockLoop(where, converseStream, options && contextBedrock(options));

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

function toolOf(name: string, description: string, schema: object): Tool {
  return { toolSpec: { name, description, inputSchema: { json: schema as never } } };
}

function bedrockLoop(options: AgentOptions, ask: Ask, plugin: ReturnType<typeof contextBedrock> | undefined) {
  const client = new BedrockRuntimeClient({
    region: 'us-east-1',
    endpoint: options.baseURL,
    credentials,
    maxAttempts: 1,
    // By default the SDK speaks HTTP/2, which needs TLS at Bedrock; the server of the test speaks HTTP/1.
    requestHandler: new NodeHttpHandler(),
  });
  if (plugin !== undefined) client.middlewareStack.use(plugin);
  const recall = options.recall && recallTool(options.recall as never);
  const offered = tools.map(({ name, description, schema }) => toolOf(name, description, schema));
  if (recall !== undefined) offered.push(toolOf(recall.name, recall.description, recall.parameters));
  const messages: Message[] = [];
  return runTasks(options, async (task, run) => {
    run.history = messages;
    messages.push({ role: 'user', content: contentOf(task) });
    for (;;) {
      const content = await ask(client, {
        modelId,
        system: [{ text: systemPrompt }],
        messages,
        toolConfig: { tools: offered },
        inferenceConfig: { maxTokens: 4_096 },
        additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1_024 } },
      });
      messages.push({ role: 'assistant', content });
      const calls = content.flatMap(({ toolUse }) => toolUse ?? []);
      if (calls.length === 0) return content.map(({ text = '' }) => text).join('');
      const results: ContentBlock[] = [];
      for (const { toolUseId, name = '', input } of calls) {
        run.toolCalls += 1;
        const text =
          name === recall?.name ? await recall.run(input, undefined as never) : runTool(name, input);
        results.push({ toolResult: { toolUseId, content: [{ text }] } });
      }
      messages.push({ role: 'user', content: results });
    }
  });
}

function contentOf({ prompt, image }: Task): ContentBlock[] {
  if (image === undefined) return [{ text: prompt }];
  return [{ text: prompt }, { image: { format: 'png', source: { bytes: Buffer.from(image, 'base64') } } }];
}
