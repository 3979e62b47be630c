import type { Message } from '@ctx/core';
import { createdAt } from '@ctx/core/codec';
import { known, listIn, nameIn } from '../fields.js';
import type { Said } from './acceptance.js';
import type { Findings, Place } from './findings.js';
import { Timeline } from './timeline.js';
import type { Cut, Told } from './told.js';

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

type OpenCut = Omit<Cut, 'at' | 'replacement'> & {
  readonly position: number;
  readonly replacement: Timeline<Said>;
};

/** A compaction as a reader finds it in a file. */
interface NotedCut {
  readonly place: Place;
  readonly position?: number;
  readonly summary: string | undefined;
  readonly trigger?: string | undefined;
  readonly tokensBefore?: number | undefined;
  readonly tokensAfter?: number | undefined;
}

/** Puts a conversation together, with every tool result after its call and every compaction in its place. */
export class Dialogue {
  readonly #timeline = new Timeline<Said>();
  readonly #cuts: OpenCut[] = [];
  readonly #prompts: { readonly position: number; readonly said: Said }[] = [];

  constructor(readonly findings: Findings) {}

  /** The position of what is said next, for `cut`. */
  get position(): number {
    return this.#timeline.length;
  }

  say(place: Place, draft: Draft, usage?: Said['usage']): Said {
    const said = saidOf(place, draft, usage);
    if (draft.role === 'system') this.#prompts.push({ position: this.position, said });
    this.#timeline.say(said, callIds(said.message));
    return said;
  }

  /** Returns the message for a result, unless it answers no call that is open. */
  answer(place: Place, answer: Answer): Said | undefined {
    const { callId } = answer;
    const said = this.#result(place, answer);
    const arrival = this.#timeline.answer(String(callId), said);
    if (!this.findings.accepts(arrival, place, callId)) return undefined;
    this.#cuts.at(-1)?.replacement.answer(String(callId), said);
    return said;
  }

  /** Takes a result that is in the conversation already, for a call that the newest compaction kept without it. */
  repeat(place: Place, answer: Answer): void {
    this.#cuts.at(-1)?.replacement.answer(String(answer.callId), this.#result(place, answer));
  }

  #result(place: Place, { callId, toolName, output, isError, time }: Answer): Said {
    const result = {
      type: 'tool-result',
      toolCallId: callId,
      toolName: nameIn({ toolName }, 'toolName') ?? this.#nameOf(callId) ?? 'unknown',
      output,
      ...(typeof isError === 'boolean' && { isError }),
    };
    return saidOf(place, { role: 'tool', content: [result], time });
  }

  /**
   * Notes a compaction that stands for everything before a position, by default for all that was said. A summary without text is none.
   * @param replacement what the agent had instead; without a system prompt, that of the conversation stays
   */
  cut({ place, position = this.position, summary, ...about }: NotedCut, replacement: readonly Said[]): void {
    const timeline = new Timeline<Said>();
    const hasPrompt = replacement.some(({ message }) => message.role === 'system');
    const before = hasPrompt ? [] : this.#prompts.filter(({ position: at }) => at < position);
    const prompts = before.map(({ said }) => said);
    for (const said of [...prompts, ...replacement]) {
      const [answered] = said.message.role === 'tool' ? said.message.content : [];
      const isAnswer = answered !== undefined && timeline.callerOf(answered.toolCallId) !== undefined;
      if (isAnswer) timeline.answer(answered.toolCallId, said);
      else timeline.say(said, callIds(said.message));
    }
    this.#cuts.push({
      ...known({ ...about, summary: summary || undefined }),
      place,
      position,
      replacement: timeline,
    });
  }

  /** The name of the tool that was called. */
  #nameOf(callId: unknown): string | undefined {
    const content = typeof callId === 'string' ? this.#timeline.callerOf(callId)?.message.content : undefined;
    return nameIn(listIn(content).find(({ toolCallId }) => toolCallId === callId) ?? {}, 'toolName');
  }

  /** What was said from one position up to another. */
  said(from = 0, end?: number): Said[] {
    return this.#timeline.from(from, end);
  }

  get told(): Pick<Told, 'said' | 'cuts'> {
    const sizes = this.#timeline.sizes();
    const cuts = this.#cuts.map(({ position, replacement, ...cut }) => ({
      ...cut,
      at: sizes[position] as number,
      replacement: replacement.from(),
    }));
    return { said: this.#timeline.from(), cuts };
  }
}

/** A message with its place; `accept` checks its form. */
export function saidOf(place: Place, { role, content, time, summary }: Draft, usage?: Said['usage']): Said {
  const message = { role, content, ...createdAt(time), ...(summary === true && { summary }) } as Message;
  return { message, place, ...(usage !== undefined && { usage }) };
}

/** The text of a message whose form has not been checked. */
export function saidText({ message }: Said): string {
  const content: unknown = message.content;
  if (typeof content === 'string') return content;
  const texts = listIn(content).map(({ text }) => text);
  return texts.filter((text) => typeof text === 'string').join('\n');
}

function callIds({ role, content }: Message): string[] {
  if (role !== 'assistant') return [];
  return listIn(content).flatMap(({ type, toolCallId }) =>
    type === 'tool-call' && typeof toolCallId === 'string' ? [toolCallId] : [],
  );
}
