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

const sdkParts = wordsOf('tool-call tool-result tool-approval-request tool-approval-response');

/** The library whose form a message shows. */
function libraryOf(message: Fields): 'ai-sdk' | 'langchain' | undefined {
  if (storedIn(message) !== undefined) return 'langchain';
  if (nameIn(message, 'role') === undefined) return undefined;
  if (isUiMessage(message) || 'providerOptions' in message) return 'ai-sdk';
  const isOfSdk = ({ type, providerOptions, mediaType, image, text }: Fields) =>
    sdkParts.has(type) ||
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

const openaiRoles = wordsOf('system developer tool function');
const openaiFields = ['tool_calls', 'function_call', 'tool_call_id', 'refusal'];
const openaiParts = wordsOf('image_url input_audio refusal file');
const anthropicBlocks = wordsOf(
  'tool_use tool_result thinking redacted_thinking image document server_tool_use',
);

function apiOfMessage(message: Fields): 'openai' | 'anthropic' | undefined {
  if (openaiRoles.has(message.role) || openaiFields.some((field) => field in message)) return 'openai';
  for (const block of listIn(message.content)) {
    if (anthropicBlocks.has(block.type) || 'cache_control' in block) return 'anthropic';
    if (openaiParts.has(block.type)) return 'openai';
  }
  return undefined;
}

interface Mark {
  readonly format: SessionFormat;
  /** What a record of the format shows, in words, for the error that none did. */
  readonly looksFor: string;
  readonly shows: (record: Fields) => boolean;
}

const codexTypes = wordsOf(
  'session_meta response_item event_msg turn_context compacted world_state token_usage_record',
);
const claudeCodeTypes = wordsOf('file-history-snapshot queue-operation');
const piTypes = wordsOf('model_change thinking_level_change');
const geminiTypes = wordsOf('user gemini info error warning');
const copilotTypes =
  /^(?:session|user|assistant|system|tool|hook|skill|subagent|permission|abort)(?:\.[a-z_]+)?$/;

/** The agents, those first whose records could be taken for those of a later one. */
const marks: readonly Mark[] = [
  {
    format: 'codex',
    looksFor: 'lines { type: session_meta, response_item, …, payload }',
    shows: ({ type, payload }) => codexTypes.has(type) && isFields(payload),
  },
  {
    format: 'copilot',
    looksFor: 'lines { type: session.start, user.message, …, data }',
    shows: ({ type, data }) => typeof type === 'string' && copilotTypes.test(type) && isFields(data),
  },
  {
    format: 'opencode',
    looksFor: 'a document { info, messages: [{ info, parts }] }',
    shows: ({ info, messages }) =>
      isFields(info) &&
      Array.isArray(messages) &&
      messages.every((message) => isFields(message) && Array.isArray(message.parts)),
  },
  {
    format: 'gemini',
    looksFor: '{ sessionId, projectHash }, or lines { id, type: user or gemini, content }',
    shows: (record) =>
      (nameIn(record, 'sessionId') !== undefined && nameIn(record, 'projectHash') !== undefined) ||
      isFields(record.$set) ||
      (geminiTypes.has(record.type) &&
        nameIn(record, 'id') !== undefined &&
        'content' in record &&
        !('role' in record)),
  },
  {
    format: 'claude-code',
    looksFor: 'lines { type: user or assistant, sessionId, uuid, message }',
    shows: (record) => {
      const { type, message } = record;
      if (typeof type !== 'string' || type === '' || 'role' in record) return false;
      if (claudeCodeTypes.has(type)) return true;
      if (['sessionId', 'uuid', 'leafUuid'].some((key) => nameIn(record, key))) return true;
      return (type === 'user' || type === 'assistant') && isFields(message);
    },
  },
  {
    format: 'pi',
    looksFor: 'lines { type: session, id }, then { type: message, message }',
    shows: (record) => {
      const { type, message } = record;
      if ('role' in record) return false;
      if (piTypes.has(type) || (type === 'message' && isFields(message))) return true;
      return type === 'session' && nameIn(record, 'id') !== undefined;
    },
  },
];

/** The agent that wrote a record, if the record shows it. */
function agentOf(record: unknown): SessionFormat | undefined {
  return isFields(record) ? marks.find(({ shows }) => shows(record))?.format : undefined;
}

/** What the records of each agent show, in words. */
export const marksOfAgents: readonly string[] = marks.map(({ format, looksFor }) => `${format}: ${looksFor}`);

function wordsOf(words: string): ReadonlySet<unknown> {
  return new Set(words.split(' '));
}
