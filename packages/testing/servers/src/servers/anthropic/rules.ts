import { type Fields, isFields } from '@ctx/core/codec';
import { invalid } from '../dialect.js';
import { misfitOf, type Shape } from '../shape.js';
import { blocksOf } from './blocks.js';
import { checkPairs } from './pairs.js';

/** Breakpoints of the prompt cache that a request may have. */
const mostMarks = 4;

export function checkShape(request: Fields, shape: Shape): void {
  const misfit = misfitOf(shape, request);
  if (misfit !== undefined) throw invalid(`${misfit.place}: ${misfit.problem}`);
}

/** Refuses what Anthropic refuses in a request of the right shape, except for its thinking. */
export function checkMessages(request: Fields): void {
  const messages = request.messages as Fields[];
  if (messages.length === 0) throw invalid('messages: at least one message is required');
  if (messages[0]?.role !== 'user') throw invalid('messages: first message must use the "user" role');
  checkTools(request);
  checkSystem(request);
  for (const [index, message] of messages.entries()) {
    checkContent(message, index, index === messages.length - 1);
    checkPlaces(message, index);
  }
  checkPairs(messages);
  checkEnd(messages);
  const marks = marksIn(request);
  if (marks > mostMarks)
    throw invalid(`A maximum of ${mostMarks} blocks with cache_control may be provided. Found ${marks}.`);
}

function checkTools({ tools = [] }: Fields): void {
  const named = (tools as Fields[]).filter(({ type }) => type !== 'mcp_toolset');
  const names = named.map(({ name }) => name);
  if (names.includes(undefined)) throw invalid('tools: a tool has no name');
  if (new Set(names).size < names.length) throw invalid('tools: Tool names must be unique.');
}

function checkSystem({ system }: Fields): void {
  if (!Array.isArray(system)) return;
  if (system.some(({ text }: Fields) => text === ''))
    throw invalid('system: text content blocks must be non-empty');
}

/** The last message of the assistant may be empty: the model goes on from it. */
function checkContent(message: Fields, index: number, isLast: boolean): void {
  const blocks = blocksOf(message);
  if (blocks.length === 0 && !(isLast && message.role === 'assistant')) {
    throw invalid(
      `messages.${index}: all messages must have non-empty content except for the optional final assistant message`,
    );
  }
  for (const { type, text } of blocks) {
    if (type !== 'text') continue;
    if (text === '') throw invalid('messages: text content blocks must be non-empty');
    if (String(text).trim() === '')
      throw invalid('messages: text content blocks must contain non-whitespace text');
  }
}

const placeOfBlock: Readonly<Record<string, string>> = {
  tool_use: 'assistant',
  thinking: 'assistant',
  redacted_thinking: 'assistant',
  tool_result: 'user',
};

/** Some blocks belong to one role, and the id of a call is made of few characters. */
function checkPlaces(message: Fields, index: number): void {
  for (const [at, { type, id }] of blocksOf(message).entries()) {
    const role = placeOfBlock[String(type)];
    if (role !== undefined && role !== message.role)
      throw invalid(`messages.${index}: \`${String(type)}\` blocks can only be in \`${role}\` messages`);
    if (type === 'tool_use' && !/^[a-zA-Z0-9_-]+$/.test(String(id)))
      throw invalid(
        `messages.${index}.content.${at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`,
      );
  }
}

function checkEnd(messages: readonly Fields[]): void {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return;
  const text = blocksOf(last).at(-1)?.text;
  if (typeof text === 'string' && /\s$/.test(text))
    throw invalid('messages: final assistant content cannot end with trailing whitespace');
}

/** Breakpoints on tools, the system prompt, blocks, and blocks in tool results. */
function marksIn({ tools = [], system = [], messages }: Fields): number {
  const blocks = (messages as Fields[]).flatMap(blocksOf);
  const inner = blocks.flatMap(({ type, content }) =>
    type === 'tool_result' && Array.isArray(content) ? (content as Fields[]) : [],
  );
  const all = [...(tools as Fields[]), ...(Array.isArray(system) ? system : []), ...blocks, ...inner];
  return all.filter((one) => isFields(one.cache_control)).length;
}
