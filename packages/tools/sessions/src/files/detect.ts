import { agentOf } from '../agents.js';
import { type Fields, isFields, listIn, nameIn } from '../fields.js';
import { storedIn } from '../requests/stored-langchain.js';
import { isUiMessage } from '../requests/ui-messages.js';
import type { SessionFormat } from '../session.js';

/**
 * The format of a session, judged by its first records; undefined if no record shows it. Messages with only text look the same in both
 * APIs and in the AI SDK, and count as `openai`.
 */
export function detectFormat(firstRecords: readonly unknown[]): SessionFormat | undefined {
  let isChat = false;
  let api: SessionFormat | undefined;
  for (const record of firstRecords) {
    const conversations = conversationsIn(record);
    const library = conversations
      .flatMap(({ messages }) => listIn(messages))
      .find((message) => libraryOf(message));
    if (library !== undefined) return libraryOf(library);
    const agent = agentOf(record);
    if (agent !== undefined) return api ?? agent;
    for (const conversation of conversations) {
      isChat ||= listIn(conversation.messages).every(isMessage);
      api ??= apiOf(conversation);
    }
  }
  return api ?? (isChat ? 'openai' : undefined);
}

/** The conversations, or the one message, that a record holds. */
function conversationsIn(record: unknown): Fields[] {
  if (Array.isArray(record)) return record.flatMap(conversationsIn);
  if (!isFields(record)) return [];
  if (Array.isArray(record.messages)) return [record];
  return nameIn(record, 'role') === undefined && storedIn(record) === undefined
    ? []
    : [{ messages: [record] }];
}

/** Those of Gemini's API have `parts`. */
const isMessage = (message: Fields) => !('parts' in message) || 'content' in message;

const sdkParts: readonly unknown[] = [
  'tool-call',
  'tool-result',
  'tool-approval-request',
  'tool-approval-response',
];

/** The library whose form a message shows. */
function libraryOf(message: Fields): 'ai-sdk' | 'langchain' | undefined {
  if (storedIn(message) !== undefined) return 'langchain';
  if (nameIn(message, 'role') === undefined) return undefined;
  if (isUiMessage(message) || 'providerOptions' in message) return 'ai-sdk';
  const isOfSdk = ({ type, providerOptions, mediaType, image, text }: Fields) =>
    sdkParts.includes(type) ||
    providerOptions !== undefined ||
    mediaType !== undefined ||
    (type === 'image' && image !== undefined) ||
    (type === 'reasoning' && text !== undefined);
  return listIn(message.content).some(isOfSdk) ? 'ai-sdk' : undefined;
}

function apiOf({ system, tools, messages }: Fields): 'openai' | 'anthropic' | undefined {
  if (Array.isArray(system)) return 'anthropic';
  for (const tool of listIn(tools)) {
    if ('input_schema' in tool) return 'anthropic';
    if ('function' in tool) return 'openai';
  }
  for (const message of listIn(messages)) {
    const api = apiOfMessage(message);
    if (api !== undefined) return api;
  }
  return undefined;
}

const openaiRoles: readonly unknown[] = ['system', 'developer', 'tool', 'function'];
const openaiFields = ['tool_calls', 'function_call', 'tool_call_id', 'refusal'];
const openaiParts: readonly unknown[] = ['image_url', 'input_audio', 'refusal', 'file'];
const anthropicBlocks: readonly unknown[] = [
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'image',
  'document',
  'server_tool_use',
];

function apiOfMessage(message: Fields): 'openai' | 'anthropic' | undefined {
  if (openaiRoles.includes(message.role) || openaiFields.some((field) => field in message)) return 'openai';
  for (const block of listIn(message.content)) {
    if (anthropicBlocks.includes(block.type) || 'cache_control' in block) return 'anthropic';
    if (openaiParts.includes(block.type)) return 'openai';
  }
  return undefined;
}
