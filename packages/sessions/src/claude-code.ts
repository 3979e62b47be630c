import { anthropicCodec, type NativeMessage } from '@ctx/codec-anthropic';
import { createdAt } from '@ctx/core/codec';
import type { Said } from './accept.js';
import { blocksOf, callIdsOf, isBlank, isResult, usageOf } from './claude-code-blocks.js';
import { type Decoded, decode, type Native } from './decode.js';
import { type Fields, isFields, nameIn } from './fields.js';
import { onlySession, type Reading, type SessionReader } from './reader.js';
import { Timeline } from './timeline.js';

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

/**
 * Claude Code's lines in file order. A response is split over lines with the same `message.id`, and results of its calls may come in
 * between. Side chains are left out, unless the file belongs to a sub-agent and holds nothing else.
 */
export const readClaudeCode: SessionReader = async function* (records, reading) {
  const { findings } = reading;
  const conversation = new Conversation(reading);
  let sidechain: { readonly line: number; readonly record: Fields }[] = [];
  let first: Fields | undefined;
  for await (const { line, value } of records) {
    const record = value as Fields;
    const kind = kindOf(record);
    if (kind === undefined) findings.refuse({ line }, { problem: 'The record has no type', value });
    else if (kind !== 'said') findings.leaveOut(kind);
    else if (record.isSidechain !== true) {
      first ??= record;
      conversation.add(line, record);
      findings.leaveOut('sidechain', sidechain.length);
      sidechain = [];
    } else if (first !== undefined) findings.leaveOut('sidechain');
    else sidechain.push({ line, record });
  }
  for (const { line, record } of sidechain) conversation.add(line, record);
  const agent = sidechain[0]?.record;
  const id = agent === undefined ? first && nameIn(first, 'sessionId') : nameIn(agent, 'agentId');
  const { model, said } = conversation;
  const about = { id: id ?? reading.name, format: 'claude-code' as const, provider: 'anthropic' };
  yield onlySession({ ...about, ...(model !== undefined && { model }) }, said, reading);
};

/** `said` for a record of the conversation, otherwise the kind under which it is counted; undefined if the record has no kind. */
function kindOf(record: Fields): string | undefined {
  const type = nameIn(record, 'type');
  if (type !== 'user' && type !== 'assistant') return type;
  if (record.isMeta === true) return 'meta';
  return record.isApiErrorMessage === true ? 'api-error' : 'said';
}

/** A response that is being put together, with the ids of its calls. */
interface Response {
  readonly turn: Turn;
  readonly blocks: unknown[];
  readonly calls: Set<string>;
}

class Conversation {
  readonly #timeline = new Timeline<Turn>();
  readonly #responses = new Map<string, Response>();
  readonly #lineOfUuid = new Map<string, number>();
  #start = 0;
  /** The model that answered last. */
  model: string | undefined;

  constructor(readonly reading: Reading) {}

  add(line: number, record: Fields): void {
    const said = this.#saidLine(line, record);
    if (said === undefined) return;
    if (record.isCompactSummary === true) this.#compact(said);
    else if (record.type === 'assistant') this.#respond(said);
    else this.#ask(said);
  }

  /** Everything in order, as messages. */
  get said(): Said[] {
    const { findings } = this.reading;
    const turns = this.#timeline.from(this.#start);
    findings.leaveOut('before-compaction', this.#timeline.from().length - turns.length);
    const toMessages = (natives: unknown[]) =>
      anthropicCodec.toMessages({ messages: natives as NativeMessage[] });
    const full = turns.filter(({ native, place }) => {
      if (native.content.length === 0) findings.skip(place, 'The message has no content');
      return native.content.length > 0;
    });
    return decode(full, toMessages, findings).map(saidOf);
  }

  #saidLine(line: number, record: Fields): SaidLine | undefined {
    const { findings } = this.reading;
    const { message, uuid } = record;
    const earlier = typeof uuid === 'string' ? this.#lineOfUuid.get(uuid) : undefined;
    if (earlier !== undefined) {
      findings.skip({ line }, `The record repeats that of line ${earlier}`);
    } else if (!isFields(message) || message.role !== record.type) {
      const value = isFields(message) ? message.role : message;
      findings.refuse({ line }, { problem: 'The record has no message of its role', value });
    } else if (typeof message.content !== 'string' && !Array.isArray(message.content)) {
      const problem = 'The content is neither text nor a list';
      findings.refuse({ line }, { problem, value: message.content });
    } else {
      if (typeof uuid === 'string') this.#lineOfUuid.set(uuid, line);
      return { line, record, message, content: message.content };
    }
    return undefined;
  }

  #compact(said: SaidLine): void {
    const { findings, from } = this.reading;
    if (from === 'last-compaction') {
      this.#start = this.#timeline.length;
      this.#timeline.say(turnOf(said, said.content));
    } else {
      findings.leaveOut('compaction-summary');
      findings.warn(said, 'The session was compacted here; what it stands for is kept instead');
    }
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
    const opened: string[] = [];
    for (const block of blocksOf(said.content)) {
      const ids = callIdsOf([block]);
      if (ids.some((id) => response?.calls.has(id))) {
        this.reading.findings.skip(said, 'The tool call stands in the same message twice');
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
    if (isFields(said.message.usage)) response.turn.usage = usageOf(said.message.usage, model);
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
        const problem = 'The tool result answers no call';
        this.reading.findings.refuse(said, { problem, value: result.tool_use_id });
        continue;
      }
      const blocks: unknown[] = [];
      const answer = answers.get(caller) ?? { blocks, turn: turnOf(said, blocks) };
      if (!this.#answer(said, callId, answer.turn)) continue;
      answer.blocks.push(result);
      answers.set(caller, answer);
    }
    if (results.length === 0 || others.length > 0) this.#timeline.say(turnOf(said, others));
  }

  #answer(said: SaidLine, callId: string, answer: Turn): boolean {
    const { findings } = this.reading;
    const arrival = this.#timeline.answer(callId, answer);
    if (arrival === 'late') findings.warn(said, 'The tool result was moved up behind its call');
    if (arrival === 'twice') findings.skip(said, `The call ${callId} is answered already`);
    return arrival !== 'twice';
  }
}

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
  return {
    message: {
      ...(isParallel ? rest : message),
      ...from.createdAt,
      ...(from.isSummary && { summary: true }),
    },
    place: from.place,
    ...(from.usage !== undefined && { usage: from.usage }),
  };
}
