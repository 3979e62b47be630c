import { anthropicCodec, type NativeMessage } from '@ctx/codec-anthropic';
import { createdAt } from '@ctx/core/codec';
import { decode, type Native, placedOfAll } from '../conversation/decode.js';
import { textIn } from '../conversation/dialogue.js';
import type { Findings } from '../conversation/findings.js';
import type { Conversation, Cut, Placed } from '../conversation/session-of.js';
import { Timeline } from '../conversation/timeline.js';
import { type Fields, isFields, known, nameIn, numberIn, usageIn } from '../fields.js';

/** A message that is put together from its lines. */
interface Turn extends Native {
  readonly native: { readonly role: unknown; readonly content: string | readonly unknown[] };
  readonly createdAt: { createdAt?: number };
  readonly isSummary: boolean;
  usage?: Placed['usage'];
}

/** A line of the conversation whose message has a role and content. */
interface SaidLine {
  readonly line: number;
  readonly record: Fields;
  readonly message: Fields;
  readonly content: string | unknown[];
}

type About = Pick<Cut, 'trigger' | 'tokensBefore'>;

interface Compacted {
  readonly about: About;
  readonly summary: Turn;
  readonly kept: readonly Turn[];
  /** Position in the timeline. */
  readonly position: number;
}

/** A response that is being put together, with the ids of its calls. */
interface Response {
  readonly turn: Turn;
  readonly blocks: unknown[];
  readonly calls: Set<string>;
}

/**
 * Puts turns together from lines. A response is split over lines with the same `message.id`, and results of its calls may come in
 * between.
 */
export class ClaudeConversation {
  readonly #timeline = new Timeline<Turn>();
  readonly #responses = new Map<string, Response>();
  /** The turns that the line of each uuid is part of. */
  readonly #turns = new Map<string, Turn[]>();
  readonly #compacted: Compacted[] = [];
  /** The `compactMetadata` of the line before a summary. */
  #announced: Fields = {};
  /** The model that answered last. */
  model: string | undefined;

  constructor(readonly findings: Findings) {}

  /** Takes what the line before a summary says of the compaction. */
  announce(metadata: unknown): void {
    this.#announced = isFields(metadata) ? metadata : {};
  }

  add(line: number, record: Fields): void {
    const said = this.#saidLine(line, record);
    if (said === undefined) return;
    if (record.isCompactSummary === true) this.#compact(said);
    else if (record.type === 'assistant') this.#respond(said);
    else this.#ask(said);
  }

  /** Everything in order, as messages, and the compactions. */
  content(): Conversation {
    const placedBy = this.#decode(this.#timeline.from());
    const cuts = this.#compacted.map(({ about, position, summary, kept }) => {
      const replacement = [...this.#decode([summary]).values()].flat();
      return known({
        ...about,
        place: summary.place,
        at: placedOfAll(this.#timeline.from(0, position), placedBy).length,
        replacement: [...replacement, ...placedOfAll(kept, placedBy)],
        summary: replacement.map(textIn).join('\n') || undefined,
      });
    });
    return { placed: [...placedBy.values()].flat(), cuts };
  }

  /** The messages of each turn. */
  #decode(turns: readonly Turn[]): Map<Turn, Placed[]> {
    const toMessages = (natives: unknown[]) =>
      anthropicCodec.toMessages({ messages: natives as NativeMessage[] });
    const full = turns.filter(({ native, place }) => {
      if (native.content.length === 0) this.findings.skip(place, 'The message has no content');
      return native.content.length > 0;
    });
    const placedBy = new Map<Turn, Placed[]>(full.map((turn) => [turn, []]));
    const decoded = decode(full, toMessages, this.findings);
    for (const [index, { message, from }] of decoded.entries()) {
      // Results of parallel calls have lines of their own, but the API wants them in one message: the codec joins what has no native form.
      const isParallel =
        message.role === 'tool' &&
        [decoded[index - 1], decoded[index + 1]].some((one) => one?.message.role === 'tool');
      const { native, ...rest } = message;
      const own = {
        ...(isParallel ? rest : message),
        ...from.createdAt,
        ...(from.isSummary && { summary: true }),
      };
      placedBy.get(from)?.push(known({ message: own, place: from.place, usage: from.usage }));
    }
    return placedBy;
  }

  #saidLine(line: number, record: Fields): SaidLine | undefined {
    const { findings } = this;
    const { message, uuid } = record;
    if (!isFields(message) || message.role !== record.type) {
      const value = isFields(message) ? message.role : message;
      findings.refuse({ line }, { problem: 'The record has no message of its role', value });
    } else if (typeof message.content !== 'string' && !Array.isArray(message.content)) {
      const problem = 'The content is neither text nor a list';
      findings.refuse({ line }, { problem, value: message.content });
    } else {
      if (typeof uuid === 'string') this.#turns.set(uuid, []);
      return { line, record, message, content: message.content };
    }
    return undefined;
  }

  #compact(said: SaidLine): void {
    const metadata = this.#announced;
    const kept = keptUuids(metadata, [...this.#turns.keys()]).flatMap((uuid) => this.#turns.get(uuid) ?? []);
    this.#compacted.push({
      about: known({
        trigger: nameIn(metadata, 'trigger'),
        tokensBefore: numberIn(metadata, 'preTokens'),
      }),
      summary: turnOf(said, said.content),
      kept: [...new Set(kept)],
      position: this.#timeline.length,
    });
    this.#announced = {};
  }

  #respond(said: SaidLine): void {
    const id = nameIn(said.message, 'id');
    let response = id === undefined ? undefined : this.#responses.get(id);
    if (response === undefined) {
      const blocks: unknown[] = [];
      response = { blocks, turn: turnOf(said, blocks), calls: new Set() };
      this.#timeline.say(response.turn);
      if (id !== undefined) this.#responses.set(id, response);
    }
    this.#note(said, response.turn);
    for (const block of blocksOf(said.content)) {
      const ids = callIdsOf([block]);
      if (ids.some((one) => response.calls.has(one))) {
        this.findings.skip(said, 'The same message contains this tool call twice');
        continue;
      }
      if (!isBlank(block)) response.blocks.push(block);
      for (const one of ids) response.calls.add(one);
      this.#timeline.open(response.turn, ids);
    }
    const model = nameIn(said.message, 'model');
    if (model === undefined || model === '<synthetic>') return;
    this.model = model;
    const usage = usageIn(said.message.usage, usageFields, { model, provider: 'anthropic' });
    if (usage === undefined) return;
    const { cache_creation: written } = said.message.usage as Fields;
    const cacheHourTokens = isFields(written) ? numberIn(written, 'ephemeral_1h_input_tokens') : undefined;
    response.turn.usage = { ...usage, ...(cacheHourTokens && { cacheHourTokens }) };
  }

  /** Results go after their calls; the rest of the line is the user's. */
  #ask(said: SaidLine): void {
    const { content } = said;
    const results = typeof content === 'string' ? [] : content.filter(isResult);
    const others = typeof content === 'string' ? content : content.filter((block) => !isResult(block));
    const answers = new Map<Turn, { readonly turn: Turn; readonly blocks: unknown[] }>();
    for (const result of results) {
      const callId = nameIn(result, 'tool_use_id') ?? '';
      const caller = this.#timeline.callerOf(callId);
      if (caller === undefined) {
        this.findings.accepts('without-call', said, result.tool_use_id);
        continue;
      }
      const blocks: unknown[] = [];
      const answer = answers.get(caller) ?? { blocks, turn: turnOf(said, blocks) };
      if (!this.findings.accepts(this.#timeline.answer(callId, answer.turn), said, callId)) continue;
      answer.blocks.push(result);
      answers.set(caller, answer);
      this.#note(said, answer.turn);
    }
    if (results.length > 0 && others.length === 0) return;
    const turn = turnOf(said, others);
    this.#timeline.say(turn);
    this.#note(said, turn);
  }

  /** Remembers the turn that a line is part of. */
  #note({ record }: SaidLine, turn: Turn): void {
    if (typeof record.uuid === 'string') this.#turns.get(record.uuid)?.push(turn);
  }
}

/** As Anthropic's API reports it with a response. */
const usageFields = [
  'input_tokens cache_read_input_tokens cache_creation_input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
] as const;

/** The native message with only the fields that the API accepts: no id, no usage. */
function turnOf({ line, record, message }: SaidLine, content: Turn['native']['content']): Turn {
  return {
    place: { line },
    native: { role: message.role, content },
    createdAt: createdAt(record.timestamp),
    isSummary: record.isCompactSummary === true,
  };
}

/** The uuids of the lines that the agent kept besides the summary: it names all of them, or the first and the last. */
function keptUuids(
  { preservedMessages, preservedSegment }: Fields,
  all: readonly string[],
): readonly string[] {
  if (isFields(preservedMessages) && Array.isArray(preservedMessages.uuids)) {
    const named = new Set(preservedMessages.uuids);
    return all.filter((uuid) => named.has(uuid));
  }
  const { headUuid, tailUuid } = isFields(preservedSegment) ? preservedSegment : {};
  if (typeof headUuid !== 'string' || typeof tailUuid !== 'string') return [];
  const start = all.indexOf(headUuid);
  return start === -1 ? [] : all.slice(start, all.lastIndexOf(tailUuid) + 1);
}

export function blocksOf(content: string | readonly unknown[]): readonly unknown[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** The ids of the calls among the blocks. */
export function callIdsOf(blocks: readonly unknown[]): string[] {
  return blocks.flatMap((block) =>
    isFields(block) && block.type === 'tool_use' ? (nameIn(block, 'id') ?? []) : [],
  );
}

export function isResult(block: unknown): block is Fields {
  return isFields(block) && block.type === 'tool_result';
}

/** True for white space that a model writes before it calls a tool; the API refuses such a block. */
function isBlank(block: unknown): boolean {
  if (!isFields(block) || block.type !== 'text') return false;
  return typeof block.text === 'string' && block.text.trim() === '';
}
