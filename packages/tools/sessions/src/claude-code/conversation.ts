import { anthropicCodec, type NativeMessage } from '@ctx/codec-anthropic';
import { createdAt } from '@ctx/core/codec';
import { type Fields, isFields, known, nameIn, usageIn } from '../fields.js';
import type { Said } from '../telling/acceptance.js';
import { type Decoded, decode, type Native } from '../telling/decode.js';
import { saidText } from '../telling/dialogue.js';
import type { Findings } from '../telling/findings.js';
import { Timeline } from '../telling/timeline.js';
import type { Told } from '../telling/told.js';
import { blocksOf, callIdsOf, isBlank, isResult } from './blocks.js';
import { type Announced, announcedIn, keptUuids } from './compaction.js';

/** A message that is being assembled from its lines. */
interface Turn extends Native {
  readonly native: { readonly role: unknown; readonly content: string | readonly unknown[] };
  readonly createdAt: { createdAt?: number };
  readonly isSummary: boolean;
  usage?: Said['usage'];
}

/** A line of the conversation whose message has a role and content. */
interface SaidLine {
  readonly line: number;
  readonly record: Fields;
  readonly message: Fields;
  readonly content: string | unknown[];
}

interface Compacted extends Omit<Announced, 'kept'> {
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
  #announced: Announced = {};
  /** The model that answered last. */
  model: string | undefined;

  constructor(readonly findings: Findings) {}

  /** Takes what the line before a summary says of the compaction. */
  announce(metadata: unknown): void {
    this.#announced = announcedIn(metadata);
  }

  add(line: number, record: Fields): void {
    const said = this.#saidLine(line, record);
    if (said === undefined) return;
    if (record.isCompactSummary === true) this.#compact(said);
    else if (record.type === 'assistant') this.#respond(said);
    else this.#ask(said);
  }

  /** Everything in order, as messages, and the compactions. */
  get told(): Pick<Told, 'said' | 'cuts'> {
    const turns = this.#timeline.from();
    const saidBy = this.#decode(turns);
    const said = [...saidBy.values()].flat();
    const sizes = this.#timeline.sizes();
    const counts = [0];
    for (const turn of turns) counts.push((counts.at(-1) as number) + (saidBy.get(turn)?.length ?? 0));
    const cuts = this.#compacted.map(({ position, summary, kept, ...announced }) => {
      const replacement = [...this.#decode([summary]).values()].flat();
      const text = replacement.map(saidText).join('\n');
      return known({
        ...announced,
        place: summary.place,
        at: counts[sizes[position] as number] as number,
        replacement: [...replacement, ...kept.flatMap((turn) => saidBy.get(turn) ?? [])],
        summary: text || undefined,
      });
    });
    return { said, cuts };
  }

  /** The messages of each turn. */
  #decode(turns: readonly Turn[]): Map<Turn, Said[]> {
    const toMessages = (natives: unknown[]) =>
      anthropicCodec.toMessages({ messages: natives as NativeMessage[] });
    const full = turns.filter(({ native, place }) => {
      if (native.content.length === 0) this.findings.skip(place, 'The message has no content');
      return native.content.length > 0;
    });
    const saidBy = new Map<Turn, Said[]>(full.map((turn) => [turn, []]));
    const decoded = decode(full, toMessages, this.findings);
    for (const [index, one] of decoded.entries()) saidBy.get(one.from)?.push(saidOf(one, index, decoded));
    return saidBy;
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
    const { kept, ...announced } = this.#announced;
    const turns = keptUuids(kept, this.#turns.keys()).flatMap((uuid) => this.#turns.get(uuid) ?? []);
    this.#compacted.push({
      ...announced,
      summary: turnOf(said, said.content),
      kept: [...new Set(turns)],
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
    const opened: string[] = [];
    for (const block of blocksOf(said.content)) {
      const ids = callIdsOf([block]);
      if (ids.some((id) => response?.calls.has(id))) {
        this.findings.skip(said, 'The same message contains this tool call twice');
        continue;
      }
      if (!isBlank(block)) response.blocks.push(block);
      for (const id of ids) response.calls.add(id);
      opened.push(...ids);
    }
    this.#timeline.open(response.turn, opened);
    const model = nameIn(said.message, 'model');
    if (model === undefined || model === '<synthetic>') return;
    this.model = model;
    const usage = usageIn(said.message.usage, usageFields, { model, provider: 'anthropic' });
    if (usage !== undefined) response.turn.usage = usage;
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
const usageFields = {
  input: ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'],
  output: ['output_tokens'],
  cacheRead: 'cache_read_input_tokens',
  cacheWrite: 'cache_creation_input_tokens',
};

/** The native message with only the fields that the API accepts: no id, no usage. */
function turnOf({ line, record, message }: SaidLine, content: Turn['native']['content']): Turn {
  return {
    place: { line },
    native: { role: message.role, content },
    createdAt: createdAt(record.timestamp),
    isSummary: record.isCompactSummary === true,
  };
}

/**
 * Results of parallel calls have lines of their own, but the API wants them in one message. They get no native message, so that the codec
 * joins them.
 */
function saidOf({ message, from }: Decoded<Turn>, index: number, all: readonly Decoded<Turn>[]): Said {
  const neighbours = [all[index - 1], all[index + 1]];
  const isParallel = message.role === 'tool' && neighbours.some((one) => one?.message.role === 'tool');
  const { native, ...rest } = message;
  const own = isParallel ? rest : message;
  return known({
    message: { ...own, ...from.createdAt, ...(from.isSummary && { summary: true }) },
    place: from.place,
    usage: from.usage,
  });
}
