import { createHash } from 'node:crypto';
import type { Fields } from '@ctx/core/codec';

/** Models that are shown no reasoning behind a prefix that has changed; the answer says so, and nothing is refused. */
const binding = /^gpt-(?:5\.[6-9]|[6-9])/;

const hash = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64');

/** Items as they are compared: without what a client may leave out. */
const plain = (items: readonly Fields[]) =>
  items.filter(({ type }) => type !== 'reasoning').map(({ id: _, status: _s, ...item }) => item);

/** What a server of Responses remembers of prompts: which reasoning belongs behind which. */
export class BoundReasoning {
  /** By encrypted text, what was before it. */
  readonly #prefixes = new Map<string, string>();

  answered(input: readonly Fields[], { output }: Fields): void {
    for (const [at, item] of (output as Fields[]).entries())
      if (item.type === 'reasoning')
        this.#prefixes.set(
          String(item.encrypted_content),
          hash(plain([...input, ...(output as Fields[]).slice(0, at)])),
        );
  }

  /** The reasoning in the input that was withheld from the model, as an answer says it. */
  removed({ model }: Fields, input: readonly Fields[]): Fields {
    if (!binding.test(String(model))) return {};
    const removed = input.filter((item, at) => this.#isUnbound(input, item, at));
    if (removed.length === 0) return {};
    const how = { type: 'reasoning', action: 'removed', reason: 'prefix_mismatch' };
    return { input_transformations: removed.map(({ id }) => ({ ...how, id })) };
  }

  /** Reasoning behind a compaction stays valid. */
  #isUnbound(input: readonly Fields[], item: Fields, at: number): boolean {
    const before = input.slice(0, at);
    if (item.type !== 'reasoning' || before.some(({ type }) => type === 'compaction')) return false;
    return this.#prefixes.get(String(item.encrypted_content)) !== hash(plain(before));
  }
}
