import { type Fields, isFields } from '@ctx/core/codec';
import { Refusal } from '../dialect.js';
import { errorBody, invalid } from './words.js';

/** What a server of Responses remembers of its answers. */
export class StoredItems {
  /** The conversation up to a response that was stored. */
  readonly #responses = new Map<string, readonly Fields[]>();
  readonly #items = new Map<string, Fields>();
  /** The reasoning item before an item of the same answer. */
  readonly #reasoning = new Map<string, string>();
  readonly #seals = new Set<string>();

  /** What a server says without `store` cannot be referred to; it must be sent back whole. */
  add(request: Fields, response: Fields, input: readonly Fields[]): void {
    const output = response.output as Fields[];
    let reasoning: string | undefined;
    for (const item of output) {
      if (item.type === 'compaction') this.#seals.add(String(item.encrypted_content));
      if (item.type === 'reasoning') {
        reasoning = String(item.id);
        if (typeof item.encrypted_content === 'string') this.#seals.add(item.encrypted_content);
      } else if (reasoning !== undefined) this.#reasoning.set(String(item.id), reasoning);
      if (request.store !== false) this.#items.set(String(item.id), item);
    }
    if (request.store !== false) this.#responses.set(String(response.id), [...input, ...output]);
  }

  isStored(id: unknown): boolean {
    return this.#items.has(String(id));
  }

  /** True for an encrypted text that this server made. */
  isSealed(text: unknown): boolean {
    return this.#seals.has(String(text));
  }

  /** The id of the reasoning item that was before an item when it was made. */
  reasoningOf(id: unknown): string | undefined {
    return this.#reasoning.get(String(id));
  }

  /** All items of a request: those of the response it goes on from, references resolved, and its own. */
  inputOf({ input, previous_response_id }: Fields): Fields[] {
    const own = typeof input === 'string' ? [{ role: 'user', content: input }] : (input as Fields[]);
    return [...this.#before(previous_response_id), ...own.map((item) => this.#resolved(item))];
  }

  #before(id: unknown): readonly Fields[] {
    if (typeof id !== 'string') return [];
    const before = this.#responses.get(id);
    if (before !== undefined) return before;
    throw invalid(`Previous response with id '${id}' not found.`, {
      param: 'previous_response_id',
      code: 'previous_response_not_found',
    });
  }

  #resolved(item: Fields): Fields {
    if (!isFields(item) || item.type !== 'item_reference') return item;
    const stored = this.#items.get(String(item.id));
    if (stored !== undefined) return stored;
    const message = notFound(item.id);
    throw new Refusal(
      'invalid',
      404,
      message,
      errorBody(message, 'invalid_request_error', { param: 'input' }),
    );
  }
}

export function notFound(id: unknown): string {
  return `Item with id '${String(id)}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`;
}
