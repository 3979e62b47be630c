import { type Fields, isFields } from '@ctx/core/codec';
import { invalid } from '../dialect.js';
import { misfitOf, type Shape, shapesIn } from '../shape.js';

const shapes = shapesIn(`
  mark     = {cache_control?: {type: 'ephemeral', ttl?: '5m' | '1h'} | null}
  text     = {type: 'text', text: string, ...mark, citations?: [object] | null}
  source   = {type: 'base64' | 'text', media_type: string, data: string}
           | {type: 'url', url: string}
           | {type: 'file', file_id: string}
           | {type: 'content', content: string | [object]}
  image    = {type: 'image', source: source, ...mark, transformations?}
  document = {type: 'document', source: source, ...mark, title?: string | null, context?: string | null,
              citations?: object | null}
  found    = {type: 'search_result', source: string, title: string, content: [text], ...mark,
              citations?: object}
  output   = text | image | document | found | {type: 'tool_reference' | 'browser_state', ...}

  block    = text | image | document | found
           | {type: 'thinking', thinking: string, signature: string}
           | {type: 'redacted_thinking', data: string}
           | {type: 'tool_use', id: string, name: string, input: object, ...mark, caller?,
              toolset_name?: string | null}
           | {type: 'tool_result', tool_use_id: string, ...mark, content?: string | [output],
              is_error?: boolean, toolset_name?: string | null}
           | {type: 'server_tool_use' | 'mcp_tool_use' | 'mcp_tool_result' | 'container_upload' | 'compaction'
                  | 'web_search_tool_result' | 'web_fetch_tool_result' | 'tool_search_tool_result'
                  | 'code_execution_tool_result' | 'bash_code_execution_tool_result'
                  | 'text_editor_code_execution_tool_result' | 'advisor_tool_result' | 'mcp_tool_listing'
                  | 'fallback', ...}
  message  = {role: 'user' | 'assistant', content: string | [block]}
           | {role: 'system', output_config?,
              content: string | [text | {type: 'tool_addition' | 'tool_removal', ...}]}
  tool     = {name?: string, ...mark, description?: string, input_schema?: object, type?: string | null,
              strict?: boolean, allowed_callers?, defer_loading?, eager_input_streaming?, input_examples?,
              max_uses?, allowed_domains?, blocked_domains?, user_location?, max_characters?, model?,
              mcp_server_name?, configs?, default_config?, tools?}

  count    = {model: string, messages: [message], system?: string | [text], tools?: [tool], cache_control?,
              context_management?, output_config?, speed?, thinking?, tool_choice?, betas?, mcp_servers?,
              user_profile_id?, workspace_id?, compaction?}
  create   = {...count, max_tokens: number, stream?: boolean | null, container?, diagnostics?, fallbacks?,
              inference_geo?, metadata?, service_tier?, stop_sequences?, thread?, temperature?, top_k?,
              top_p?}
`);

/** The body of `POST /v1/messages`. */
export const messagesRequest = shapes('create');

/** The body of `POST /v1/messages/count_tokens`. */
export const countRequest = shapes('count');

/** Breakpoints of the prompt cache that a request may have. */
const mostMarks = 4;

/** The blocks of a message, also of one that is a string. */
export function blocksOf({ content }: Fields): Fields[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content) ? content : [];
}

export const isThinking = ({ type }: Fields): boolean => type === 'thinking' || type === 'redacted_thinking';

export function checkShape(request: Fields, shape: Shape): void {
  const misfit = misfitOf(shape, request);
  if (misfit !== undefined) throw invalid(`${misfit.place}: ${misfit.problem}`);
}

/** Refuses what Anthropic refuses in a request of the right shape, except for its thinking. */
export function checkMessages(request: Fields): void {
  const messages = request.messages as Fields[];
  const last = messages.at(-1);
  if (last === undefined) throw invalid('messages: at least one message is required');
  if (messages[0]?.role !== 'user') throw invalid('messages: first message must use the "user" role');
  checkTools(request);
  if (Array.isArray(request.system) && request.system.some(({ text }) => text === ''))
    throw invalid('system: text content blocks must be non-empty');
  for (const [index, message] of messages.entries()) checkContent(message, index, message === last);
  checkPairs(messages);
  const end = last.role === 'assistant' && blocksOf(last).at(-1)?.text;
  if (typeof end === 'string' && /\s$/.test(end))
    throw invalid('messages: final assistant content cannot end with trailing whitespace');
  const marks = marksIn(request);
  if (marks > mostMarks)
    throw invalid(`A maximum of ${mostMarks} blocks with cache_control may be provided. Found ${marks}.`);
}

function checkTools({ tools = [] }: Fields): void {
  const named = (tools as Fields[]).filter(({ type }) => type !== 'mcp_toolset');
  const names = new Set(named.map(({ name }) => name));
  if (names.has(undefined)) throw invalid('tools: a tool has no name');
  if (names.size < named.length) throw invalid('tools: Tool names must be unique.');
}

const placeOfBlock: Readonly<Record<string, string>> = {
  tool_use: 'assistant',
  thinking: 'assistant',
  redacted_thinking: 'assistant',
  tool_result: 'user',
};

/** The last message of the assistant may be empty: the model goes on from it. Some blocks belong to one role. */
function checkContent(message: Fields, index: number, isLast: boolean): void {
  const blocks = blocksOf(message);
  const place = `messages.${index}`;
  if (blocks.length === 0 && !(isLast && message.role === 'assistant'))
    throw invalid(
      `${place}: all messages must have non-empty content except for the optional final assistant message`,
    );
  for (const [at, { type, text, id }] of blocks.entries()) {
    if (type === 'text' && text === '') throw invalid('messages: text content blocks must be non-empty');
    if (type === 'text' && String(text).trim() === '')
      throw invalid('messages: text content blocks must contain non-whitespace text');
    const role = placeOfBlock[String(type)] ?? message.role;
    if (role !== message.role)
      throw invalid(`${place}: \`${String(type)}\` blocks can only be in \`${role}\` messages`);
    if (type === 'tool_use' && !/^[a-zA-Z0-9_-]+$/.test(String(id)))
      throw invalid(`${place}.content.${at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
  }
}

/** Breakpoints on tools, the system prompt, blocks, and blocks in tool results. */
function marksIn({ tools = [], system = [], messages }: Fields): number {
  const blocks = (messages as Fields[]).flatMap(blocksOf);
  const inner = blocks.filter(({ type }) => type === 'tool_result').flatMap(blocksOf);
  const all = [...(tools as Fields[]), ...(Array.isArray(system) ? system : []), ...blocks, ...inner];
  return all.filter((one) => isFields(one.cache_control)).length;
}

/** A block with the places of its message and in it. */
type Placed = Fields & { readonly message: number; readonly at: number };

const isCall = ({ type }: Fields) => type === 'tool_use';
const isResult = ({ type }: Fields) => type === 'tool_result';

/**
 * Refuses calls without results, results without calls, and results that do not come first. Neighbours of one role count as one message; a
 * system message in the middle does not part its neighbours.
 */
function checkPairs(messages: readonly Fields[]): void {
  const runs: Placed[][] = [];
  let before: unknown;
  for (const [index, message] of messages.entries()) {
    const blocks = blocksOf(message).map((block, at) => ({ ...block, message: index, at }));
    if (message.role === 'system' || blocks.length === 0) continue;
    if (message.role === before) runs.at(-1)?.push(...blocks);
    else runs.push(blocks);
    before = message.role;
  }
  const ids = runs.flat().filter(isCall);
  if (new Set(ids.map(({ id }) => id)).size < ids.length)
    throw invalid('messages: `tool_use` ids must be unique');
  for (const [at, run] of runs.entries()) {
    checkCalls(run.filter(isCall), runs[at + 1] ?? []);
    checkResults(run.filter(isResult), (runs[at - 1] ?? []).filter(isCall));
  }
}

/** Every call has its result at the beginning of the next message. */
function checkCalls(calls: readonly Placed[], next: readonly Placed[]): void {
  const others = next.findIndex((one) => !isResult(one));
  const answered = next.slice(0, others < 0 ? undefined : others).map(({ tool_use_id }) => tool_use_id);
  const missing = calls.map(({ id }) => id).filter((id) => !answered.includes(id));
  if (missing.length === 0) return;
  throw invalid(
    `messages.${calls[0]?.message}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  );
}

function checkResults(results: readonly Placed[], calls: readonly Placed[]): void {
  for (const [nth, { tool_use_id: id, message, at }] of results.entries()) {
    const place = `messages.${message}.content.${at}`;
    if (!calls.some((call) => call.id === id))
      throw invalid(
        `${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(id)}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      );
    if (results.findIndex((one) => one.tool_use_id === id) < nth)
      throw invalid(
        `${place}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${String(id)}`,
      );
  }
}
