import { equal, type Fields, isFields } from '@ctx/core/codec';
import { blocksOf, type Native, nativeAt } from './blocks.js';
import type { AnthropicRequest } from './native-message.js';
import { isThinking } from './thinking.js';

/** A block in the form in which the provider compares it: equal blocks have equal numbers, wherever their cache breakpoints are. */
export interface Said {
  readonly number: number;
  readonly role: Native['role'];
  /** Position of its message; -1 for the system prompt. */
  readonly message: number;
  readonly place: string;
  readonly thinking: boolean;
  /** True if the provider wrote it in place of everything before it. */
  readonly compaction: boolean;
}

/** Everything before an answer, which its thinking is bound to. */
export interface Sent {
  readonly system: readonly Said[];
  readonly tools: number;
  readonly said: readonly Said[];
}

/** @throws ValidationError `native-invalid` with the place that is not understood */
export function sentOf(request: AnthropicRequest, numbers: BlockNumbers, place = ''): Sent {
  const { system, tools = [], messages } = request;
  const listed = (native: Native, message: number, at: string) =>
    blocksOf(native, at).map((block, index) => ({
      number: numbers.of(block as Fields),
      role: native.role,
      message,
      place: typeof native.content === 'string' ? at : `${at}[${index}]`,
      thinking: isThinking(block),
      compaction: isFields(block) && block.type === 'compaction',
    }));
  return {
    system: system === undefined ? [] : listed({ role: 'system', content: system } as Native, -1, 'system'),
    tools: numbers.of({ type: 'tools', content: tools.filter(isLoaded) }),
    said: messages.flatMap((value, index) => {
      const native = nativeAt(value, `${place}messages[${index}]`);
      return native.content === '' || native.content === undefined
        ? []
        : listed(native, index, `${place}messages[${index}].content`);
    }),
  };
}

/** A tool that is loaded only when the model asks for it is not part of the prefix. */
function isLoaded(tool: unknown): boolean {
  return !isFields(tool) || tool.defer_loading !== true;
}

/** A cheap key for blocks; blocks with the same key are compared in full. */
const namingFields = ['type', 'id', 'tool_use_id', 'text', 'signature', 'data'];

/** Numbers blocks by content, so that long prefixes can be compared as numbers. */
export class BlockNumbers {
  readonly #ofObject = new WeakMap<object, number>();
  readonly #alike = new Map<string, { readonly block: Fields; readonly number: number }[]>();
  #next = 0;

  of(block: Fields): number {
    const known = this.#ofObject.get(block);
    if (known !== undefined) return known;
    const plain = withoutBreakpoint(block) as Fields;
    const key = namingFields.map((field) => String(plain[field])).join();
    const alike = this.#alike.get(key) ?? [];
    let number = alike.find((one) => equal(one.block, plain))?.number;
    if (number === undefined) {
      number = this.#next;
      this.#next += 1;
      this.#alike.set(key, [...alike, { block: plain, number }]);
    }
    this.#ofObject.set(block, number);
    return number;
  }
}

/** A block and its inner blocks without `cache_control`, which is not content. */
function withoutBreakpoint(block: unknown): unknown {
  if (!isFields(block)) return block;
  const { cache_control: _moves, ...rest } = block;
  return Array.isArray(rest.content) ? { ...rest, content: rest.content.map(withoutBreakpoint) } : rest;
}
