import { type ResponseInputItem, responsesCodec } from '@ctx/codec-openai';
import { CtxError, type Message, messageText } from '@ctx/core';
import { createdAt } from '@ctx/core/codec';
import { type Fields, isFields, known, nameIn } from '../fields.js';
import type { Said } from '../telling/acceptance.js';
import type { Findings, Place } from '../telling/findings.js';
import { Timeline } from '../telling/timeline.js';
import type { Cut, Told } from '../telling/told.js';

/** An item of the Responses API with its place in the file. */
interface Item {
  readonly native: Fields;
  readonly place: Place;
  readonly time: unknown;
}

/** Items that are together: what the assistant said and called in one response, or one item of another role. */
interface Group {
  readonly items: Item[];
  usage?: Said['usage'];
}

interface Compacted {
  readonly place: Place;
  readonly position: number;
  readonly items: readonly Item[];
  readonly summary: string | undefined;
}

/** Items for the CLI only. */
const unsent: ReadonlySet<unknown> = new Set(['ghost_snapshot']);

/** Puts a rollout's items together, with every output after its call, and decodes them. */
export class CodexItems {
  readonly #timeline = new Timeline<Group>();
  readonly #compacted: Compacted[] = [];
  #open: Group | undefined;
  #unreported: Group | undefined;

  constructor(readonly findings: Findings) {}

  add(place: Place, native: Fields, time: unknown): void {
    const item = { native, place, time };
    if (unsent.has(native.type)) {
      this.findings.leaveOut(`response_item:${native.type}`);
      return;
    }
    const role = roleOf(native);
    if (role === 'tool') this.#answer(item);
    else if (role === 'assistant') this.#respond(item);
    else this.#say(item);
  }

  /** @param payload what replaces everything before: newer versions give the whole, older ones the summary only */
  compact(place: Place, payload: Fields, time: unknown): void {
    const { replacement_history: history } = payload;
    const message = nameIn(payload, 'message');
    const natives = Array.isArray(history) ? history : summaryAlone(message);
    const items = natives.map((native: unknown, index) => ({
      native: isFields(native) ? native : {},
      place: { ...place, path: `payload.replacement_history[${index}]` },
      time,
    }));
    this.#compacted.push({ place, position: this.#timeline.length, items, summary: message });
    this.#open = undefined;
    this.#unreported = undefined;
  }

  /** Takes the usage of the newest response. */
  report(usage: NonNullable<Said['usage']>): void {
    if (this.#unreported !== undefined) this.#unreported.usage = usage;
    this.#unreported = undefined;
  }

  get told(): Pick<Told, 'said' | 'cuts'> {
    const groups = this.#timeline.from();
    const sizes = this.#timeline.sizes();
    const starts = new Map<Group, number>();
    const said = this.#decoded(groups, starts);
    const firstFrom = (start: number) => {
      for (let at = start; at < groups.length; at += 1) {
        const first = starts.get(groups[at] as Group);
        if (first !== undefined) return first;
      }
      return said.length;
    };
    const cuts = this.#compacted.map(({ place, position, items, summary }): Cut => {
      const replacement = this.#decoded([{ items: [...items] }]);
      return known({
        place,
        at: firstFrom(sizes[position] as number),
        replacement: summary === undefined ? replacement : marked(replacement, summary),
        summary,
      });
    });
    return { said, cuts };
  }

  #say(item: Item): void {
    this.#open = undefined;
    this.#timeline.say({ items: [item] });
  }

  #respond(item: Item): void {
    if (this.#open === undefined) {
      this.#open = { items: [] };
      this.#timeline.say(this.#open);
    }
    this.#open.items.push(item);
    this.#unreported = this.#open;
    const callId = nameIn(item.native, 'call_id');
    if (callId !== undefined) this.#timeline.open(this.#open, [callId]);
  }

  #answer(item: Item): void {
    const callId = nameIn(item.native, 'call_id') ?? '';
    this.#open = undefined;
    this.findings.accepts(this.#timeline.answer(callId, { items: [item] }), item.place, callId);
  }

  /** @param starts is given the position of each group's first message */
  #decoded(groups: readonly Group[], starts = new Map<Group, number>()): Said[] {
    const { items, messages } = this.#understood(
      groups.flatMap((group) => group.items.map((item) => ({ item, group }))),
    );
    const ends = new Map<Group, number>();
    let next = 0;
    const said = messages.map((message, index): Said => {
      const own = items.slice(next, next + itemsIn(message));
      next += own.length;
      for (const { group } of own) {
        if (!starts.has(group)) starts.set(group, index);
        ends.set(group, index);
      }
      const { place, time } = (own[0] as (typeof own)[number]).item;
      return { message: { ...message, ...createdAt(time) }, place };
    });
    for (const [{ usage }, index] of ends) {
      if (usage !== undefined) said[index] = { ...(said[index] as Said), usage };
    }
    return said;
  }

  /** The messages, without the items that the codec refuses, which are reported. */
  #understood<T extends { readonly item: Item }>(
    all: readonly T[],
  ): { items: readonly T[]; messages: Message[] } {
    const decoded = tried(all.map(({ item }) => item.native));
    if (Array.isArray(decoded)) return { items: all, messages: decoded };
    const items = all.filter(({ item }) => {
      const alone = tried([item.native]);
      if (!Array.isArray(alone)) this.findings.refuseFor(item.place, alone);
      return Array.isArray(alone);
    });
    return { items, messages: messagesOf(items.map(({ item }) => item.native)) };
  }
}

/** The messages for items, or why the codec refuses them. */
function tried(natives: readonly Fields[]): Message[] | CtxError {
  try {
    return messagesOf(natives);
  } catch (error) {
    if (!CtxError.isInstance(error)) throw error;
    return error;
  }
}

/** Types of which the codec need not be asked whose they are. */
const roles: Readonly<Record<string, Message['role']>> = {
  reasoning: 'assistant',
  function_call: 'assistant',
  custom_tool_call: 'assistant',
  function_call_output: 'tool',
  custom_tool_call_output: 'tool',
};

/** Whose an item is. One that the codec will refuse counts as the assistant's. */
function roleOf(native: Fields): Message['role'] {
  const { type, role } = native;
  if (type === 'message' && (role === 'user' || role === 'assistant')) return role;
  if (typeof type === 'string' && Object.hasOwn(roles, type)) return roles[type] as Message['role'];
  const decoded = tried([native]);
  return (Array.isArray(decoded) && decoded[0]?.role) || 'assistant';
}

function messagesOf(natives: readonly Fields[]): Message[] {
  return responsesCodec.toMessages(natives as unknown as ResponseInputItem[]);
}

/** The number of items that a message was made of. */
function itemsIn({ native }: Message): number {
  const items = isFields(native) ? native.message : undefined;
  return Array.isArray(items) ? items.length : 1;
}

function summaryAlone(message: string | undefined): Fields[] {
  return message === undefined ? [] : [{ type: 'message', role: 'user', content: message }];
}

/** The last message that holds the text is the summary. */
function marked(said: readonly Said[], summary: string): Said[] {
  const at = said.findLastIndex(({ message }) => messageText(message).includes(summary));
  return said.map((one, index) => {
    if (index !== at) return one;
    return { ...one, message: { ...one.message, summary: true } as Message };
  });
}
