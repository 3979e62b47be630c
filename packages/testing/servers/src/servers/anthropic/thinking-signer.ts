import { createHash, createHmac } from 'node:crypto';
import { type Fields, isFields } from '@ctx/core/codec';
import { invalid } from '../dialect.js';
import { blocksOf, isThinking } from './rules.js';

/** The parts of a request to the Messages API that thinking is bound to. */
export interface MessagesRequest {
  readonly system?: unknown;
  readonly tools?: unknown;
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
}

/** Models whose thinking needs a signature only. Binding to the prefix came with the models 5.1. */
const unbound = /^claude-(\d|(opus|sonnet|haiku)-[34]\b|\w+-5(-\d{8})?$)/;

const unsigned = 'Invalid `signature` in `thinking` block';
const bound = `${unsigned}. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".`;
const altered =
  '`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.';

/** Everything said before a block: the thinking, and a hash of everything else. */
interface Prefix {
  readonly spoken: string;
  readonly thought: string | undefined;
}

/**
 * Signs thinking blocks as newer Anthropic models do: over everything before a block, and over the thinking block before it. So a block
 * becomes invalid if its prefix changes, or if thinking between other thinking is missing. Thinking may be missing from the front. The
 * position of `cache_control` does not matter, nor whether neighbours of one role are one message.
 */
export class ThinkingSigner {
  readonly #key = 'a key that only the server has';
  /** The thinking of each signature. */
  readonly #thoughts = new Map<string, unknown>();

  /** The blocks of an answer to a request, with every thinking block signed. */
  sign(request: MessagesRequest, answer: readonly Fields[]): Fields[] {
    const signed: Fields[] = [];
    const messages = [...request.messages, { role: 'assistant', content: answer }];
    walk({ ...request, messages }, (block, prefix, message) => {
      if (message < request.messages.length) return block;
      signed.push(isThinking(block) ? this.#signed(block, prefix) : block);
      return signed.at(-1) as Fields;
    });
    return signed;
  }

  /** The provider's error for the first thinking block that is not in its place; undefined if all are. */
  refusal(request: MessagesRequest): string | undefined {
    const [first] = this.#problems(request);
    return first && `${first.path}: ${first.problem}`;
  }

  /** Refuses thinking that was altered or moved, and a turn whose thinking is missing. */
  check(request: Fields & MessagesRequest): void {
    const isFree = unbound.test(String(request.model)) || isDropped(request);
    const found = this.#problems(request).find(({ problem }) => !isFree || problem !== bound);
    if (found !== undefined) throw invalid(`${found.path}: ${found.problem}`);
    if (isFields(request.thinking) && request.thinking.type === 'enabled') checkTurn(request.messages);
  }

  /** What the server says of thinking that it dropped, if the request has it dropped and not refused. */
  dropped(request: Fields & MessagesRequest): Fields {
    if (!isDropped(request)) return {};
    const [first] = this.#problems(request).filter(({ problem }) => problem === bound);
    const one = { type: 'thinking_dropped', path: first?.path, reason: 'prefix_binding_mismatch' };
    return { input_transformations: first === undefined ? [] : [one] };
  }

  #problems(request: MessagesRequest): { readonly path: string; readonly problem: string }[] {
    const problems: { path: string; problem: string }[] = [];
    walk(request, (block, prefix, message, at) => {
      const problem = isThinking(block) ? this.#problem(block, prefix) : undefined;
      if (problem !== undefined) problems.push({ path: `messages.${message}.content.${at}`, problem });
      return block;
    });
    return problems;
  }

  #signed(block: Fields, { spoken, thought }: Prefix): Fields {
    const count = this.#thoughts.size + 1;
    const claim = Buffer.from(JSON.stringify({ spoken, thought, count })).toString('base64');
    const signature = `${claim}.${this.#mac(claim)}`;
    this.#thoughts.set(signature, block.thinking);
    return block.type === 'redacted_thinking' ? { ...block, data: signature } : { ...block, signature };
  }

  #problem(block: Fields, { spoken, thought }: Prefix): string | undefined {
    const [claim = '', mac] = signatureOf(block).split('.');
    if (mac !== this.#mac(claim)) return unsigned;
    const signed = JSON.parse(Buffer.from(claim, 'base64').toString()) as Prefix;
    if (spoken !== signed.spoken || (thought !== undefined && thought !== signed.thought)) return bound;
    // A client that was shown no thinking sends an empty text.
    const isShown = block.type === 'thinking' && block.thinking !== '';
    return isShown && this.#thoughts.get(signatureOf(block)) !== block.thinking ? altered : undefined;
  }

  #mac(claim: string): string {
    return createHmac('sha256', this.#key).update(claim).digest('base64');
  }
}

/** Visits every block with what was said before it, and goes on from what the visit returns. */
function walk(
  { system = [], tools = [], messages }: MessagesRequest,
  visit: (block: Fields, prefix: Prefix, message: number, at: number) => Fields,
): void {
  let prefix: Prefix = { spoken: hash('', [blocksOf({ content: system }), tools]), thought: undefined };
  for (const [index, { role, content }] of messages.entries())
    for (const [at, block] of blocksOf({ content }).entries()) {
      const visited = visit(block, prefix, index, at);
      prefix = isThinking(visited)
        ? { ...prefix, thought: hash('', signatureOf(visited)) }
        : { ...prefix, spoken: hash(prefix.spoken, [role, visited]) };
    }
}

function hash(before: string, value: unknown): string {
  const text = JSON.stringify(plain(value, true)) ?? '';
  return createHash('sha256').update(before).update(text).digest('base64');
}

/** Sorts keys and removes cache breakpoints from blocks and tools, but not from the input of a call. */
function plain(value: unknown, isBlock: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item, isBlock));
  if (!isFields(value)) return value;
  const keys = Object.keys(value).filter((key) => !isBlock || key !== 'cache_control');
  return keys.sort().map((key) => [key, plain(value[key], isBlock && key === 'content')]);
}

const signatureOf = ({ signature, data }: Fields) => String(signature ?? data);

/** Whether a request has misplaced thinking dropped. */
const isDropped = ({ thinking }: Fields) =>
  isFields(thinking) &&
  isFields(thinking.block_binding) &&
  thinking.block_binding.prefix_mismatch_behavior === 'drop_block';

/** After the newest prompt, an answer with calls begins with its thinking. */
function checkTurn(messages: readonly Fields[]): void {
  const has = (message: Fields, type: string) => blocksOf(message).some((block) => block.type === type);
  const prompt = messages.findLastIndex((one) => one.role === 'user' && !has(one, 'tool_result'));
  for (const [index, message] of messages.entries()) {
    if (index <= prompt || message.role !== 'assistant' || messages[index - 1]?.role === 'assistant')
      continue;
    const [first] = blocksOf(message);
    if (first === undefined || isThinking(first) || !has(message, 'tool_use')) continue;
    throw invalid(
      `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(first.type)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`.`,
    );
  }
}
