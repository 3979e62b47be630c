import { createHash } from 'node:crypto';
import type { Fields } from '@ctx/core/codec';
import { invalid, Refusal } from '../dialect.js';

/** Models that are shown no reasoning behind a prefix that has changed; the answer says so, and nothing is refused. */
const binding = /^gpt-(?:5\.[6-9]|[6-9])/;

/** A hash of items as they are compared: without what a client may leave out. */
const prefixOf = (items: readonly Fields[]) => {
  const plain = items.filter(({ type }) => type !== 'reasoning');
  const said = JSON.stringify(plain.map(({ id: _, status: _s, ...item }) => item));
  return createHash('sha256').update(said).digest('base64');
};

const sealOf = ({ encrypted_content, id }: Fields) => String(encrypted_content ?? id);

/** What a server of Responses remembers of its answers. */
export class StoredItems {
  /** The conversation up to a response that was stored. */
  readonly #responses = new Map<string, readonly Fields[]>();
  readonly #items = new Map<string, Fields>();
  /** The reasoning item before an item of the same answer. */
  readonly #reasoning = new Map<string, string>();
  /** By encrypted text that this server made, or the id of an item without one, what was before it. */
  readonly #seals = new Map<string, string>();

  /**
   * What a server says without `store` cannot be referred to; it must be sent back whole.
   * @param input what was before the answer; nothing for one that stands for what was
   */
  add({ store }: Fields, response: Fields, input: readonly Fields[]): void {
    const output = response.output as Fields[];
    let reasoning: string | undefined;
    for (const [at, item] of output.entries()) {
      const { id, type } = item;
      this.#seals.set(sealOf(item), prefixOf([...input, ...output.slice(0, at)]));
      if (type === 'reasoning') reasoning = String(id);
      else if (reasoning !== undefined) this.#reasoning.set(String(id), reasoning);
      if (store !== false) this.#items.set(String(id), item);
    }
    if (store !== false) this.#responses.set(String(response.id), [...input, ...output]);
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
    if (item.type !== 'item_reference') return item;
    const stored = this.#items.get(String(item.id));
    if (stored === undefined) throw notFound(item.id);
    return stored;
  }

  /** The reasoning in an input that is withheld from the model, as an answer says it. Reasoning behind a compaction stays valid. */
  removed({ model }: Fields, input: readonly Fields[]): Fields {
    const removed = input.filter((item, at) => {
      const before = input.slice(0, at);
      if (item.type !== 'reasoning' || before.some(({ type }) => type === 'compaction')) return false;
      return this.#seals.get(sealOf(item)) !== prefixOf(before);
    });
    if (!binding.test(String(model)) || removed.length === 0) return {};
    const how = { type: 'reasoning', action: 'removed', reason: 'prefix_mismatch' };
    return { input_transformations: removed.map(({ id }) => ({ ...how, id })) };
  }
}

export const notFound = (id: unknown): Refusal =>
  new Refusal(
    'invalid',
    404,
    `Item with id '${String(id)}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
    { param: 'input' },
  );
