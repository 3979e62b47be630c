import { agentOf } from '../agents.js';
import { type Fields, isFields, nameIn } from '../fields.js';
import type { SessionFormat } from '../session.js';

/**
 * The format of a session, judged by its first records; undefined if no record shows it. Messages with only text look the same in both
 * APIs and count as `openai`.
 */
export function detectFormat(firstRecords: readonly unknown[]): SessionFormat | undefined {
  let isChat = false;
  for (const record of firstRecords) {
    const agent = agentOf(record);
    if (agent !== undefined) return agent;
    for (const conversation of conversationsIn(record)) {
      isChat = true;
      const api = apiOf(conversation);
      if (api !== undefined) return api;
    }
  }
  return isChat ? 'openai' : undefined;
}

/** The conversations, or the one message, that a record holds. */
function conversationsIn(record: unknown): Fields[] {
  if (Array.isArray(record)) return record.flatMap(conversationsIn);
  if (!isFields(record)) return [];
  if (Array.isArray(record.messages)) return [record];
  return nameIn(record, 'role') === undefined ? [] : [{ messages: [record] }];
}

function apiOf({ system, tools, messages }: Fields): 'openai' | 'anthropic' | undefined {
  if (Array.isArray(system)) return 'anthropic';
  for (const tool of listOf(tools)) {
    if ('input_schema' in tool) return 'anthropic';
    if ('function' in tool) return 'openai';
  }
  for (const message of listOf(messages)) {
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
  for (const block of listOf(message.content)) {
    if (anthropicBlocks.includes(block.type) || 'cache_control' in block) return 'anthropic';
    if (openaiParts.includes(block.type)) return 'openai';
  }
  return undefined;
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}
