import type { Message } from '@ctx/core';
import { createdAt } from '@ctx/core/codec';
import { known, listIn, nameIn, stringsIn } from '../fields.js';
import type { Findings, Place } from './findings.js';
import type { Conversation, Cut, Placed } from './session-of.js';
import { Timeline } from './timeline.js';

/** A message as a reader makes it: whether core accepts it is found out later. */
export interface Draft {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: unknown;
  /** A time in ms or as ISO 8601, if the record has one. */
  readonly time?: unknown;
  readonly summary?: boolean;
}

export interface Answer {
  readonly callId: unknown;
  /** Taken from the call if it is missing. */
  readonly toolName?: unknown;
  readonly output: unknown;
  readonly isError?: unknown;
  readonly time?: unknown;
}

/** A compaction as a reader finds it in a file. */
interface NotedCut {
  readonly place: Place;
  readonly position?: number;
  readonly summary: string | undefined;
  readonly trigger?: string | undefined;
  readonly tokensBefore?: number | undefined;
}

/** Puts a conversation together, with every tool result after its call and every compaction in its place. */
export class Dialogue {
  readonly #timeline = new Timeline<Placed>();
  readonly #cuts: {
    readonly cut: Omit<Cut, 'at' | 'replacement'>;
    readonly position: number;
    readonly replacement: Timeline<Placed>;
  }[] = [];
  readonly #prompts: { readonly position: number; readonly prompt: Placed }[] = [];

  constructor(readonly findings: Findings) {}

  /** The position of what is said next, for `cut`. */
  get position(): number {
    return this.#timeline.length;
  }

  say(place: Place, draft: Draft, usage?: Placed['usage']): Placed {
    const placed = placedOf(place, draft, usage);
    if (draft.role === 'system') this.#prompts.push({ position: this.position, prompt: placed });
    this.#timeline.say(placed, callIds(placed.message));
    return placed;
  }

  /** Returns the message for a result, unless it answers no call that is open. */
  answer(place: Place, answer: Answer): Placed | undefined {
    const { callId } = answer;
    const placed = this.#result(place, answer);
    const arrival = this.#timeline.answer(String(callId), placed);
    if (!this.findings.accepts(arrival, place, callId)) return undefined;
    this.#cuts.at(-1)?.replacement.answer(String(callId), placed);
    return placed;
  }

  /** Takes a result that is in the conversation already, for a call that the newest compaction kept without it. */
  repeat(place: Place, answer: Answer): void {
    this.#cuts.at(-1)?.replacement.answer(String(answer.callId), this.#result(place, answer));
  }

  #result(place: Place, { callId, toolName, output, isError, time }: Answer): Placed {
    const result = {
      type: 'tool-result',
      toolCallId: callId,
      toolName: nameIn({ toolName }, 'toolName') ?? this.#nameOf(callId) ?? 'unknown',
      output,
      ...(typeof isError === 'boolean' && { isError }),
    };
    return placedOf(place, { role: 'tool', content: [result], time });
  }

  /** The name of the tool that was called. */
  #nameOf(callId: unknown): string | undefined {
    const content = typeof callId === 'string' ? this.#timeline.callerOf(callId)?.message.content : undefined;
    return nameIn(listIn(content).find(({ toolCallId }) => toolCallId === callId) ?? {}, 'toolName');
  }

  /**
   * Notes a compaction that stands for everything before a position, by default for all that was said. A summary without text is none.
   * @param replacement what the agent had instead; without a system prompt, that of the conversation stays
   */
  cut({ position = this.position, summary, ...about }: NotedCut, replacement: readonly Placed[]): void {
    const timeline = new Timeline<Placed>();
    const hasPrompt = replacement.some(({ message }) => message.role === 'system');
    const before = this.#prompts.filter(({ position: at }) => !hasPrompt && at < position);
    for (const placed of [...before.map(({ prompt }) => prompt), ...replacement]) {
      const [answered] = placed.message.role === 'tool' ? placed.message.content : [];
      const isAnswer = answered !== undefined && timeline.callerOf(answered.toolCallId) !== undefined;
      if (isAnswer) timeline.answer(answered.toolCallId, placed);
      else timeline.say(placed, callIds(placed.message));
    }
    this.#cuts.push({
      cut: known({ ...about, summary: summary || undefined }),
      position,
      replacement: timeline,
    });
  }

  /** The messages from one position up to another. */
  from(position = 0, end?: number): Placed[] {
    return this.#timeline.from(position, end);
  }

  content(): Conversation {
    const cuts = this.#cuts.map(({ cut, position, replacement }) => ({
      ...cut,
      at: this.from(0, position).length,
      replacement: replacement.from(),
    }));
    return { placed: this.from(), cuts };
  }
}

/** A message with its place; `accept` checks its form. */
export function placedOf(
  place: Place,
  { role, content, time, summary }: Draft,
  usage?: Placed['usage'],
): Placed {
  const message = { role, content, ...createdAt(time), ...(summary === true && { summary }) } as Message;
  return { message, place, ...(usage !== undefined && { usage }) };
}

/** The text of a message whose form has not been checked. */
export function textIn({ message }: Placed): string {
  const content: unknown = message.content;
  if (typeof content === 'string') return content;
  return stringsIn(listIn(content), 'text').join('\n');
}

function callIds({ role, content }: Message): string[] {
  if (role !== 'assistant') return [];
  return stringsIn(
    listIn(content).filter(({ type }) => type === 'tool-call'),
    'toolCallId',
  );
}
