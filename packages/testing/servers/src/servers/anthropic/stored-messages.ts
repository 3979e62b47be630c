import { type Fields, isFields } from '@ctx/core/codec';
import { type Ids, invalid, Refusal, type Usage } from '../dialect.js';
import { usualLifetime } from '../tokens.js';
import { blocksOf } from './rules.js';
import type { MessagesRequest } from './thinking-signer.js';

const isCompaction = ({ type }: Fields) => type === 'compaction';

interface Thread {
  /** The conversation up to an answer. */
  readonly fields: Fields;
  readonly expires: number;
  isContinued: boolean;
}

/** What the server remembers: the messages of threads, and those that its compaction blocks stand for. */
export class StoredMessages {
  /** The conversation up to an answer, with its tools, by the answer's id, and whether it has gone on from there. */
  readonly #threads = new Map<string, Thread>();
  readonly #summarised = new Map<string, MessagesRequest['messages']>();
  readonly #prompts = new Map<string, readonly string[]>();

  /** @param now the time in ms, by which threads expire */
  constructor(readonly now: () => number = () => 0) {}

  /** Refuses a thread that is not known, compaction inside a thread, and a compaction block that is not in its place. */
  check({ thread, compaction, context_management, messages, system, tools }: Fields): void {
    if (isFields(thread)) {
      if (isFields(compaction) || edits({ context_management }).some(isThreshold))
        throw threadRefusal(400, 'thread_unsupported_request', { unsupported: ['compaction'] });
      if (thread.type === 'continue') {
        const known = this.#threads.get(String(thread.previous_message_id));
        if (known === undefined || known.expires < this.now()) throw threadRefusal(404, 'thread_not_found');
        if (known.isContinued) throw threadRefusal(409, 'thread_already_continued');
        if (system !== undefined || tools !== undefined)
          throw threadRefusal(400, 'thread_fingerprint_mismatch');
      }
    }
    if (isFields(compaction) && context_management)
      throw invalid('compaction: cannot be used together with context_management');
    const blocks = (Array.isArray(messages) ? messages : []).flatMap((message, at) =>
      blocksOf(message).map((block, index) => ({ block, isFirst: at + index === 0 })),
    );
    const onDemand = blocks.filter(({ block }) => isCompaction(block) && this.#isOnDemand(block));
    if (onDemand.length > 1) throw invalid('compaction_block_ambiguous: a block was sent more than once');
    if (onDemand.some(({ isFirst }) => !isFirst)) throw invalid('compaction_block_misplaced: it goes first');
    for (const { block } of blocks.filter((one) => isCompaction(one.block)))
      if (!this.#summarised.has(JSON.stringify(block))) throw invalid('compaction_signature_invalid');
  }

  /** The request with everything that it continues or stands for in it, to check its rules and its thinking. */
  whole(request: Fields): Fields & MessagesRequest {
    const threaded = this.#threaded(request);
    const messages = (threaded.messages as Fields[]).map((message) => {
      const others = blocksOf(message).filter((block) => !isCompaction(block));
      return others.length === blocksOf(message).length ? message : { ...message, content: others };
    });
    const first = blocksOf((request.messages as Fields[])[0] ?? { content: '' })[0];
    const before = first && isCompaction(first) ? this.#summarised.get(JSON.stringify(first)) : undefined;
    const rest = messages.filter((message) => blocksOf(message).length > 0 || message.content === '');
    const whole: Fields = { ...threaded, messages: [...(before ?? []), ...rest] };
    return whole as Fields & MessagesRequest;
  }

  /** The request as the model is shown it: a compaction block stands for what was before it. */
  shown(request: Fields): Fields & { readonly messages: readonly Fields[] } {
    const threaded = this.#threaded(request);
    const messages = threaded.messages as Fields[];
    const at = messages.findLastIndex((message) => blocksOf(message).some(isCompaction));
    return { ...threaded, messages: messages.slice(Math.max(0, at)) };
  }

  /** The block that answers a request for compaction; `undefined` for another request, or below the threshold. */
  compaction(request: Fields, { input }: Usage, ids: Ids): Fields | undefined {
    const isOnDemand = isFields(request.compaction);
    const threshold = edits(request).find(isThreshold);
    const trigger = isFields(threshold?.trigger) ? Number(threshold.trigger.value) : 150_000;
    if (!isOnDemand && (threshold === undefined || input <= trigger)) return undefined;
    const block = {
      type: 'compaction',
      content: `A summary of ${(request.messages as Fields[]).length} messages.`,
      encrypted_content: null,
      ...(isOnDemand && { signature: ids.next('sig_'), tool_changes: [] }),
    };
    this.#summarised.set(JSON.stringify(block), this.whole(request).messages);
    return block;
  }

  answered(request: Fields, { id, content }: Fields): void {
    this.#prompts.set(String(id), this.#prompt(request));
    if (!isFields(request.thread)) return;
    const known = this.#threads.get(String(request.thread.previous_message_id));
    if (known !== undefined) known.isContinued = true;
    const { system, tools, messages } = this.#threaded(request);
    // Markers for the cache count in the request that has them.
    const all = unmarked([...(messages as Fields[]), { role: 'assistant', content }]);
    const fixed = { ...(system !== undefined && { system }), ...(tools !== undefined && { tools }) };
    const fields = { ...fixed, messages: all };
    const expires = this.now() + usualLifetime;
    this.#threads.set(String(id), { fields, expires, isContinued: false });
  }

  /** What the answer to a request says of the prompt cache, if it asks. */
  diagnostics(request: Fields, { input, cached }: Usage): Fields {
    const { diagnostics } = request;
    if (!isFields(diagnostics)) return {};
    const before = this.#prompts.get(String(diagnostics.previous_message_id));
    const now = this.#prompt(request);
    const isSame = before?.every((message, at) => message === now[at]);
    const missed = { type: 'messages_changed', cache_missed_input_tokens: input - cached };
    return { diagnostics: { cache_miss_reason: isSame === false ? missed : null } };
  }

  #prompt(request: Fields): string[] {
    return this.shown(request).messages.map((message) => JSON.stringify(message));
  }

  #threaded(request: Fields): Fields {
    const { thread, messages } = request;
    const known = this.#threads.get(String(isFields(thread) ? thread.previous_message_id : ''))?.fields;
    if (known === undefined) return request;
    return { ...request, ...known, messages: [...(known.messages as Fields[]), ...(messages as Fields[])] };
  }

  #isOnDemand(block: Fields): boolean {
    return typeof block.signature === 'string';
  }
}

function edits({ context_management: management }: Fields): Fields[] {
  return isFields(management) && Array.isArray(management.edits) ? management.edits : [];
}

const unmarked = (messages: readonly Fields[]) =>
  JSON.parse(JSON.stringify(messages, (key, one) => (key === 'cache_control' ? undefined : one))) as Fields[];

const isThreshold = ({ type }: Fields) => String(type).startsWith('compact_');

const threadRefusal = (status: number, error_code: string, more: Fields = {}): Refusal =>
  new Refusal('invalid', status, error_code, {
    type: 'invalid_request_error',
    details: { error_code, ...more },
  });
