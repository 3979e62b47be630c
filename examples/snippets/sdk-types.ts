// Never run: what compiles here fits the types of the providers' SDKs without a cast. examples/test/sdk-types.slow.test.ts compiles it.

import type Anthropic from '@anthropic-ai/sdk';
import { anthropicCodec } from '@ctx/codec-anthropic';
import { googleCodec } from '@ctx/codec-google';
import type { Message } from '@ctx/core';
import type { Content, GenerateContentParameters, GoogleGenAI } from '@google/genai';

const model = 'any';
/** Any: no model is asked. */
const max_tokens = 1000;

/** All that Anthropic's client takes and gives. */
export async function anthropicTypes(
  client: Anthropic,
  given: Anthropic.MessageCreateParamsNonStreaming,
  system: string | undefined,
): Promise<Message[]> {
  const messages: Anthropic.MessageParam[] = [...given.messages];
  const view = [
    ...anthropicCodec.toMessages({ system, messages }),
    ...anthropicCodec.toMessages(given),
    ...anthropicCodec.toMessages({ messages: [{ role: 'system', content: 'be brief' }] }),
    ...anthropicCodec.toMessages({
      messages: [{ role: 'assistant', content: [{ type: 'mcp_tool_use', id: 'a', server_name: 'b' }] }],
    }),
  ];
  const sent = anthropicCodec.fromMessages(view);
  anthropicCodec.validate(given, { before: [given, sent] });
  anthropicCodec.validate(given.messages);
  const answer = await client.messages.create({ model, max_tokens, ...sent });
  await client.messages.create({ model, max_tokens, ...anthropicCodec.fromMessages(view), stream: true });
  await client.beta.messages.create({ model, max_tokens, ...anthropicCodec.fromMessages(view) });
  await client.messages.countTokens({ model, ...anthropicCodec.fromMessages(view) });
  const { role, content } = answer;
  return anthropicCodec.toMessages({ messages: [answer, { role, content }] }, { after: view });
}

/** The same for blocks of the beta API, such as `compaction`. */
export function anthropicBetaTypes(messages: Anthropic.Beta.BetaMessageParam[]): Message[] {
  return anthropicCodec.toMessages({ messages });
}

/** All that Google's client takes and gives. */
export async function googleTypes(
  client: GoogleGenAI,
  history: Content[],
  config: GenerateContentParameters['config'],
): Promise<Message[]> {
  const view = [
    ...googleCodec.toMessages(history),
    ...googleCodec.toMessages({ systemInstruction: 'be kind', contents: history }),
    ...googleCodec.toMessages({ systemInstruction: ['be kind', { text: 'be brief' }], contents: history }),
  ];
  const { contents, ...instruction } = googleCodec.fromMessages(view);
  googleCodec.validate({ model, contents: history });
  const answer = await client.models.generateContent({
    model,
    contents,
    config: { ...config, ...instruction },
  });
  await client.models.generateContentStream({ model, contents, config: instruction });
  await client.models.countTokens({ model, contents });
  client.chats.create({ model, history: contents });
  const said = answer.candidates?.[0]?.content;
  return said === undefined ? [] : googleCodec.toMessages([said], { after: view });
}
