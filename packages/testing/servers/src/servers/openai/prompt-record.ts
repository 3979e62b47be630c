import { createHash } from 'node:crypto';
import { type Fields, isFields } from '@ctx/core/codec';
import type { Usage } from '../dialect.js';

/** Models that are shown no reasoning behind a prefix that has changed; the answer says so, and nothing is refused. */
const binding = /^gpt-(?:5\.[6-9]|[6-9])/;

const hash = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64');

/** Items as they are compared: without what a client may leave out. */
const plain = (items: readonly Fields[]) =>
  items.filter(({ type }) => type !== 'reasoning').map(({ id: _, status: _s, ...item }) => item);

/** What a server of Responses remembers of prompts: which reasoning belongs behind which, and what it could cache. */
export class PromptRecord {
  /** By encrypted text, what was before it. */
  readonly #prefixes = new Map<string, string>();
  readonly #prompts = new Map<string, readonly string[]>();

  answered(input: readonly Fields[], { id, output }: Fields): void {
    this.#prompts.set(String(id), input.map(hash));
    for (const [at, item] of (output as Fields[]).entries())
      if (item.type === 'reasoning')
        this.#prefixes.set(
          String(item.encrypted_content),
          hash(plain([...input, ...(output as Fields[]).slice(0, at)])),
        );
  }

  /** What an answer says of the input: the reasoning that was withheld, and why the cache was not read, if the request asks. */
  report(request: Fields, input: readonly Fields[], usage: Usage | undefined): Fields {
    const { model, prompt_cache_options: options } = request;
    const removed = binding.test(String(model))
      ? input.filter((item, at) => this.#isUnbound(input, item, at))
      : [];
    const compared = isFields(options) ? options.comparison_response_id : undefined;
    return {
      ...(removed.length > 0 && {
        input_transformations: removed.map(({ id }) => ({
          type: 'reasoning',
          id,
          action: 'removed',
          reason: 'prefix_mismatch',
        })),
      }),
      ...(typeof compared === 'string' && {
        prompt_cache_diagnostics: this.#compared(compared, input, usage),
      }),
    };
  }

  /** Reasoning behind a compaction stays valid. */
  #isUnbound(input: readonly Fields[], item: Fields, at: number): boolean {
    const before = input.slice(0, at);
    if (item.type !== 'reasoning' || before.some(({ type }) => type === 'compaction')) return false;
    return this.#prefixes.get(String(item.encrypted_content)) !== hash(plain(before));
  }

  #compared(id: string, input: readonly Fields[], usage: Usage | undefined): Fields {
    const before = this.#prompts.get(id);
    if (before === undefined) return { type: 'comparison_response_not_found' };
    if (before.every((one, at) => input[at] !== undefined && one === hash(input[at])))
      return { type: 'cache_hit' };
    const missed = (usage?.input ?? 0) - (usage?.cached ?? 0);
    return { type: 'cache_miss', reason: 'input_changed', cache_missed_tokens: missed };
  }
}
