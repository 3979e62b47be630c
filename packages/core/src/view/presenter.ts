import { digestOf } from '../base/digest.js';
import { itemsPerStep, type Steps } from '../base/slices.js';
import { type Message, type MessageId, madeMessage, type Part, partsOf } from '../transcript/message.js';
import type { Transcript } from '../transcript/transcript.js';
import { type MarkerRules, markerFor } from './marker.js';
import type { Dropped } from './origins.js';
import { isPinned } from './protection.js';
import {
  type CountMessage,
  isSystem,
  type Marker,
  type Presented,
  type Presenter,
  type ViewEntry,
} from './view-entry.js';

/** Why a new epoch begins: something before the end of the view has changed. */
export type EpochReason = 'record' | 'undo' | 'rewind' | 'tools' | 'system' | 'summary';

export interface EpochState {
  readonly number: number;
  /** The prefix of a request that has not been answered yet. */
  readonly asked?: number | undefined;
  /** The prefix under which each message with reasoning was written, by its id. */
  readonly prefixes: readonly (readonly [MessageId, number])[];
}

/** Which of the assistant's reasoning is sent back: only that bound to an unchanged prefix, all, or none. */
type ReasoningMode = 'bound' | 'kept' | 'dropped';

export interface PresenterRules extends MarkerRules {
  readonly reasoning?: ReasoningMode | undefined;
}

interface Bare {
  readonly rest: Message | undefined;
  thought?: Message | undefined;
}

/**
 * The presenter of a manager. It adds a line where messages were dropped, and sends reasoning only where the provider
 * accepts it. Some providers bind the model's reasoning to everything before it (system prompt, tools, messages) and
 * refuse it after anything else. So the presenter remembers the prefix that each message of the assistant was said
 * under, and sends its reasoning only after that same prefix.
 * Source: the pages "Preserved thinking" and "Prefix checks on thinking blocks" of that provider's documentation.
 */
export class RequestPresenter implements Presenter {
  /** For each message with reasoning, by id, the prefix it was said under. */
  readonly prefixes = new Map<string, number>();
  /** The prefix of the newest request, until it is answered. */
  asked: number | undefined;
  #tools = digestOf(0, '');
  #marker: Message | undefined;
  readonly #bare = new WeakMap<Message, Bare>();

  constructor(
    readonly transcript: Transcript,
    readonly rules: PresenterRules,
    readonly count: CountMessage,
    readonly pins: ReadonlySet<string> = new Set(),
  ) {}

  get #sendsAll(): boolean {
    return this.rules.reasoning === undefined || this.rules.reasoning === 'kept';
  }

  /** Other tools mean another prefix. True if the tools have changed. */
  setTools(text: string): boolean {
    const before = this.#tools;
    this.#tools = digestOf(0, text);
    return this.#tools !== before;
  }

  *present(entries: readonly ViewEntry[], dropped: Dropped): Steps<Presented> {
    yield;
    const marker = this.#markerFor(entries, dropped);
    if (this.#sendsAll) return { entries, marker, prefix: 0 };
    let prefix = entries.filter(isSystem).reduce((sum, { id }) => digestOf(sum, id), this.#tools);
    const passMarker = (position: number) => {
      if (marker?.position === position) prefix = digestOf(prefix, JSON.stringify(marker.message.content));
    };
    const presented: ViewEntry[] = [];
    for (const [position, entry] of entries.entries()) {
      if (position % itemsPerStep === 0) yield;
      passMarker(position);
      const next = isSystem(entry) ? { entry, prefix } : this.#follow(entry, prefix);
      prefix = next.prefix;
      presented.push(next.entry);
    }
    passMarker(entries.length);
    return { entries: presented, marker, prefix };
  }

  next(entry: ViewEntry, prefix: number): { readonly entry: ViewEntry; readonly prefix: number } {
    if (this.#sendsAll) return { entry, prefix: 0 };
    const behind = prefix === 0 ? this.#tools : prefix;
    return isSystem(entry) ? { entry, prefix: digestOf(behind, entry.id) } : this.#follow(entry, behind);
  }

  /** Remembers the prefix that a new message of the assistant was said under. Messages of a snapshot keep theirs. */
  remember(id: string, message: Message, prefix: number): void {
    if (message.role !== 'assistant') return;
    const under = this.asked ?? prefix;
    this.asked = undefined;
    if (this.rules.reasoning !== 'bound' || this.prefixes.has(id)) return;
    if (holdsReasoning(message)) this.prefixes.set(id, under === 0 ? this.#tools : under);
  }

  /** Remembers that a view with this prefix is being sent, so that the answer counts as said under it. */
  ask(prefix: number): void {
    if (this.rules.reasoning === 'bound') this.asked = prefix;
  }

  #follow(entry: ViewEntry, prefix: number): { readonly entry: ViewEntry; readonly prefix: number } {
    const sent = this.#hidesReasoning(entry, prefix) ? this.#withoutReasoning(entry) : entry.message;
    const nothing = { tokens: 0, toolCalls: 0, imageTokens: 0, estimated: false };
    const counted = () => (sent === undefined ? nothing : this.count(sent));
    const shown = sent === entry.sent ? entry : { ...entry, sent, ...counted() };
    const state = sent === entry.message ? '' : '-';
    return { entry: shown, prefix: digestOf(prefix, `${entry.id} ${entry.version ?? ''}${state}`) };
  }

  /** The reasoning of an edited message may come after the part that was edited. */
  #hidesReasoning({ id, message, version }: ViewEntry, prefix: number): boolean {
    if (message.role !== 'assistant' || !holdsReasoning(message)) return false;
    if (this.rules.reasoning === 'dropped') return true;
    return version !== undefined || this.prefixes.get(id) !== prefix;
  }

  /** Returns the same object each time; undefined if nothing would be left to say. A pinned thought is then said as text. */
  #withoutReasoning({ id, message }: ViewEntry): Message | undefined {
    const said = () => partsOf(message).filter(({ type }) => type !== 'reasoning');
    const bare = this.#bare.get(message) ?? { rest: saying(message, said()) };
    this.#bare.set(message, bare);
    if (bare.rest !== undefined || !isPinned({ id, message }, this.pins)) return bare.rest;
    bare.thought ??= saying(message, thoughtsOf(message));
    return bare.thought;
  }

  /** Returns the same object as long as its text is the same. */
  #markerFor(entries: readonly ViewEntry[], dropped: Dropped): Marker | undefined {
    const marker = markerFor({ entries, dropped }, this.transcript, this.rules, this.count);
    if (marker === undefined) return undefined;
    if (this.#marker?.content !== marker.message.content) this.#marker = marker.message;
    return { ...marker, message: this.#marker };
  }
}

/** The message with other parts; undefined if they say nothing. */
function saying(message: Message, content: readonly Part[]): Message | undefined {
  const saysNothing = content.every((part) => part.type === 'text' && part.text.trim() === '');
  return saysNothing ? undefined : madeMessage({ ...message, content } as Message);
}

function thoughtsOf(message: Message): Part[] {
  return partsOf(message).flatMap((part) =>
    part.type === 'reasoning' && part.text.trim() !== '' ? [{ type: 'text', text: part.text }] : [],
  );
}

function holdsReasoning(message: Message): boolean {
  return typeof message.content !== 'string' && message.content.some(({ type }) => type === 'reasoning');
}
