import { type ResponseInputItem, responsesCodec } from '@ctx/codec-openai';
import { CtxError, type Message, messageText } from '@ctx/core';
import { createdAt } from '@ctx/core/codec';
import { decode, type Native, placedOfAll } from './conversation/decode.js';
import type { Findings, Place } from './conversation/findings.js';
import type { Conversation, Cut, FileContent, Placed } from './conversation/session-of.js';
import { Timeline } from './conversation/timeline.js';
import { type Fields, isFields, known, nameIn, usageIn, windowIn } from './fields.js';
import type { SessionRecord } from './files/records.js';

/** A rollout of Codex: items as the Responses API takes them, and lines about them. */
export class Codex {
  readonly #items: CodexItems;
  #header: Fields = {};
  #model: string | undefined;
  /** The tokens of all responses so far: an event that repeats the newest usage leaves them as they were. */
  #total: unknown;
  #window: number | undefined;

  constructor(readonly findings: Findings) {
    this.#items = new CodexItems(findings);
  }

  add({ line, value }: SessionRecord): void {
    const { findings } = this;
    const { type, payload, timestamp } = value as Fields;
    if (typeof type !== 'string') findings.refuse({ line }, { problem: 'The record has no type', value });
    else if (!isFields(payload)) findings.refuse({ line }, { problem: 'The record has no payload', value });
    else if (type === 'response_item') this.#items.add({ line }, payload, timestamp);
    else if (type === 'compacted') this.#items.compact({ line }, payload, timestamp);
    else this.#about(type, payload);
  }

  content(): FileContent {
    const id = nameIn(this.#header, 'id');
    return { id, ...this.#names, contextWindow: this.#window, ...this.#items.content() };
  }

  /** A line that is not an item: what it says of the session is kept. */
  #about(type: string, payload: Fields): void {
    const kind = nameIn(payload, 'type');
    this.findings.leaveOut(kind === undefined ? type : `${type}:${kind}`);
    if (type === 'session_meta' && nameIn(this.#header, 'id') === undefined) this.#header = payload;
    if (type === 'turn_context') this.#model = nameIn(payload, 'model') ?? this.#model;
    // The line that reports tokens has the window, or the one that begins a task.
    const info = isFields(payload.info) ? payload.info : undefined;
    if (type === 'event_msg')
      this.#window = windowIn(info ?? payload, 'model_context_window') ?? this.#window;
    const usage = usageIn(reportIn(type, payload), usageFields, this.#names);
    const total = isFields(info?.total_token_usage) ? info.total_token_usage.total_tokens : undefined;
    if (usage === undefined || (total !== undefined && total === this.#total)) return;
    this.#total = total;
    this.#items.report(usage);
  }

  get #names() {
    return { provider: nameIn(this.#header, 'model_provider') ?? 'unknown', model: this.#model };
  }
}

const usageFields = [
  'input_tokens',
  'output_tokens',
  'cached_input_tokens',
  'cache_write_input_tokens',
] as const;

/** The report of the newest response in a line: newer versions write two such lines, older ones the event. */
function reportIn(type: string, { type: kind, info, usage }: Fields): unknown {
  if (type === 'token_usage_record') return usage;
  return type === 'event_msg' && kind === 'token_count' && isFields(info) ? info.last_token_usage : undefined;
}

/** An item of the Responses API with its place in the file. */
interface Item extends Native {
  readonly native: Fields;
  readonly time: unknown;
}

/** Items that are together: what the assistant said and called in one response, or one item of another role. */
interface Group {
  readonly items: Item[];
  usage?: Placed['usage'];
}

interface Compacted {
  readonly place: Place;
  readonly position: number;
  readonly items: readonly Item[];
  readonly summary: string | undefined;
}

/** Puts a rollout's items together, with every output after its call, and decodes them. */
class CodexItems {
  readonly #timeline = new Timeline<Group>();
  readonly #compacted: Compacted[] = [];
  #open: Group | undefined;
  #unreported: Group | undefined;

  constructor(readonly findings: Findings) {}

  add(place: Place, native: Fields, time: unknown): void {
    const item = { native, place, time };
    // For the CLI only.
    if (native.type === 'ghost_snapshot') {
      this.findings.leaveOut(`response_item:${native.type}`);
      return;
    }
    const role = roleOf(native);
    if (role === 'assistant') this.#respond(item);
    else {
      this.#open = undefined;
      const callId = nameIn(native, 'call_id') ?? '';
      if (role !== 'tool') this.#timeline.say({ items: [item] });
      else this.findings.accepts(this.#timeline.answer(callId, { items: [item] }), place, callId);
    }
  }

  /** @param payload what replaces everything before: newer versions give the whole, older ones the summary only */
  compact(place: Place, payload: Fields, time: unknown): void {
    const { replacement_history: history } = payload;
    const summary = nameIn(payload, 'message');
    const alone = summary === undefined ? [] : [{ type: 'message', role: 'user', content: summary }];
    const natives: unknown[] = Array.isArray(history) ? history : alone;
    const items = natives.map((native, index) => ({
      native: isFields(native) ? native : {},
      place: { ...place, path: `payload.replacement_history[${index}]` },
      time,
    }));
    this.#compacted.push({ place, position: this.#timeline.length, items, summary });
    this.#open = undefined;
    this.#unreported = undefined;
  }

  /** Takes the usage of the newest response. */
  report(usage: NonNullable<Placed['usage']>): void {
    if (this.#unreported !== undefined) this.#unreported.usage = usage;
    this.#unreported = undefined;
  }

  content(): Conversation {
    const placedBy = this.#decode(this.#timeline.from());
    const placed = [...placedBy.values()].flat();
    const cuts = this.#compacted.map(({ place, position, items, summary }): Cut => {
      const put = [...this.#decode([{ items: [...items] }]).values()].flat();
      const replacement = summary === undefined ? put : marked(put, summary);
      const at = placedOfAll(this.#timeline.from(0, position), placedBy).length;
      // The codec may have made one message of items before and after the compaction.
      const after = this.#timeline.from(position);
      const later = new Set<unknown>(after.flatMap((group) => group.items.map(({ native }) => native)));
      const isAcross = itemsOf(placed[at - 1]).some((item) => later.has(item));
      return known({ place, at: isAcross ? at - 1 : at, replacement, summary });
    });
    return { placed, cuts };
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

  /** The messages of each group. */
  #decode(groups: readonly Group[]): Map<Group, Placed[]> {
    const placedBy = new Map<Group, Placed[]>(groups.map((group) => [group, []]));
    const groupOf = new Map(groups.flatMap((group) => group.items.map((item) => [item, group])));
    for (const { message, from } of decode([...groupOf.keys()], toMessages, this.findings))
      placedBy
        .get(groupOf.get(from) as Group)
        ?.push({ message: { ...message, ...createdAt(from.time) }, place: from.place });
    for (const [{ usage }, placed] of placedBy) {
      const last = placed.pop();
      if (last !== undefined) placed.push(known({ ...last, usage }));
    }
    return placedBy;
  }
}

const toMessages = (natives: readonly unknown[]) => responsesCodec.toMessages(natives as ResponseInputItem[]);

/** The items that a message was made of. */
function itemsOf(placed: Placed | undefined): readonly unknown[] {
  const native = placed?.message.native;
  return isFields(native) && Array.isArray(native.message) ? native.message : [];
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
  try {
    return toMessages([native])[0]?.role ?? 'assistant';
  } catch (error) {
    if (!CtxError.isInstance(error)) throw error;
    return 'assistant';
  }
}

/** The last message that holds the text is the summary. */
function marked(placed: readonly Placed[], summary: string): Placed[] {
  const at = placed.findLastIndex(({ message }) => messageText(message).includes(summary));
  return placed.map((one, index) =>
    index === at ? { ...one, message: { ...one.message, summary: true } } : one,
  );
}
