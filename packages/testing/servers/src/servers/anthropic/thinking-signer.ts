import { createHash, createHmac } from 'node:crypto';
import { type Fields, isFields } from '@ctx/core/codec';
import { blocksOf, isThinking } from './blocks.js';

/** The parts of a request to the Messages API that thinking is bound to. */
export interface MessagesRequest {
  readonly system?: unknown;
  readonly tools?: unknown;
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
}

const invalid = 'Invalid `signature` in `thinking` block';
const bound = `${invalid}. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".`;

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
  #count = 0;

  /** The blocks of an answer to a request, with every thinking block signed. */
  sign(request: MessagesRequest, answer: readonly Fields[]): Fields[] {
    let prefix = this.#prefixOf(request);
    return answer.map((block) => {
      const signed = isThinking(block) ? this.#signed(block, prefix) : block;
      prefix = after(prefix, 'assistant', signed);
      return signed;
    });
  }

  /** The provider's error for the first thinking block that is not in its place; undefined if all are. */
  refusal(request: MessagesRequest): string | undefined {
    let prefix = start(request);
    for (const [index, { role, content }] of request.messages.entries()) {
      for (const [at, block] of blocksOf({ content }).entries()) {
        const problem = isThinking(block) ? this.#problem(block, prefix) : undefined;
        if (problem !== undefined) return `messages.${index}.content.${at}: ${problem}`;
        prefix = after(prefix, role, block);
      }
    }
    return undefined;
  }

  #prefixOf(request: MessagesRequest): Prefix {
    return request.messages
      .flatMap(({ role, content }) => blocksOf({ content }).map((block) => ({ role, block })))
      .reduce((prefix, { role, block }) => after(prefix, role, block), start(request));
  }

  #signed(block: Fields, { spoken, thought }: Prefix): Fields {
    this.#count += 1;
    const claim = Buffer.from(JSON.stringify({ spoken, thought, count: this.#count })).toString('base64');
    const signature = `${claim}.${this.#mac(claim)}`;
    return block.type === 'redacted_thinking' ? { ...block, data: signature } : { ...block, signature };
  }

  #problem(block: Fields, { spoken, thought }: Prefix): string | undefined {
    const [claim = '', mac] = signatureOf(block).split('.');
    if (mac !== this.#mac(claim)) return invalid;
    const signed = JSON.parse(Buffer.from(claim, 'base64').toString()) as Prefix;
    const follows = thought === undefined || thought === signed.thought;
    return spoken === signed.spoken && follows ? undefined : bound;
  }

  #mac(claim: string): string {
    return createHmac('sha256', this.#key).update(claim).digest('base64');
  }
}

function start({ system = [], tools = [] }: MessagesRequest): Prefix {
  return { spoken: hash('', [blocksOf({ content: system }), tools]), thought: undefined };
}

function after({ spoken, thought }: Prefix, role: string, block: Fields): Prefix {
  if (isThinking(block)) return { spoken, thought: hash('', signatureOf(block)) };
  return { spoken: hash(spoken, [role, block]), thought };
}

function hash(before: string, value: unknown): string {
  return createHash('sha256')
    .update(before)
    .update(JSON.stringify(plain(value, true)) ?? '')
    .digest('base64');
}

/** Sorts keys and removes cache breakpoints from blocks and tools, but not from the input of a call. */
function plain(value: unknown, isBlock: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item, isBlock));
  if (!isFields(value)) return value;
  const keys = Object.keys(value).filter((key) => !isBlock || key !== 'cache_control');
  return keys.sort().map((key) => [key, plain(value[key], isBlock && key === 'content')]);
}

function signatureOf(block: Fields): string {
  return String(block.signature ?? block.data);
}
