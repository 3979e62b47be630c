import { type Fields, isFields, nameIn } from './fields.js';
import type { SessionFormat } from './session.js';

interface Mark {
  readonly format: SessionFormat;
  /** What a record of the format shows, in words, for the error that none did. */
  readonly looksFor: string;
  readonly shows: (record: Fields) => boolean;
}

const codexTypes = typesOf(
  'session_meta response_item event_msg turn_context compacted world_state token_usage_record',
);
const claudeCodeTypes = typesOf('file-history-snapshot queue-operation');
const piTypes = typesOf('model_change thinking_level_change');
const geminiTypes = typesOf('user gemini info error warning');
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
    format: 'continue',
    looksFor: 'a document { sessionId, history: [{ message }] }',
    shows: ({ history }) =>
      Array.isArray(history) && history.every((entry) => isFields(entry) && isFields(entry.message)),
  },
  {
    format: 'cline',
    looksFor:
      'a list of messages { role, content, ts }, or a document { version, messages } with such a list',
    shows: ({ messages, version, source_message_count: count }) =>
      Array.isArray(messages) &&
      messages.some(isTask) &&
      (typeof version === 'number' || typeof count === 'number'),
  },
  {
    format: 'qwen',
    looksFor: 'lines { type: user or assistant, sessionId, message: { role, parts } }',
    shows: ({ type, message, systemPayload }) =>
      typeof type === 'string' &&
      ((isFields(message) && Array.isArray(message.parts)) || (type === 'system' && isFields(systemPayload))),
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
export function agentOf(record: unknown): SessionFormat | undefined {
  if (Array.isArray(record)) return record.some(isTask) ? 'cline' : undefined;
  return isFields(record) ? marks.find(({ shows }) => shows(record))?.format : undefined;
}

/** True for a message with what only Cline and Roo Code note of it. */
function isTask(message: unknown): boolean {
  if (!isFields(message) || typeof message.role !== 'string') return false;
  return typeof message.ts === 'number' && 'content' in message;
}

/** What the records of each agent show, in words. */
export const marksOfAgents: readonly string[] = marks.map(({ format, looksFor }) => `${format}: ${looksFor}`);

function typesOf(words: string): ReadonlySet<unknown> {
  return new Set(words.split(' '));
}
