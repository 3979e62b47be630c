import { type Fields, isFields, known, nameIn, usageIn, windowIn } from '../fields.js';
import type { SessionRecord } from '../files/records.js';
import type { Reading, Recorder } from '../reader.js';
import type { Told } from '../telling/told.js';
import { CodexItems } from './items.js';

/** A rollout of Codex: items as the Responses API takes them, and lines about them. */
export class Codex implements Recorder {
  readonly #items: CodexItems;
  #header: Fields = {};
  #model: string | undefined;
  /** The tokens of all responses so far: an event that repeats the newest usage leaves them as they were. */
  #total: unknown;
  #window: number | undefined;

  constructor(readonly reading: Reading) {
    this.#items = new CodexItems(reading.findings);
  }

  add({ line, value }: SessionRecord): void {
    const { findings } = this.reading;
    const { type, payload, timestamp } = value as Fields;
    if (typeof type !== 'string') findings.refuse({ line }, { problem: 'The record has no type', value });
    else if (!isFields(payload)) findings.refuse({ line }, { problem: 'The record has no payload', value });
    else if (type === 'response_item') this.#items.add({ line }, payload, timestamp);
    else if (type === 'compacted') this.#items.compact({ line }, payload, timestamp);
    else this.#about(type, payload);
  }

  told(): Told {
    const id = nameIn(this.#header, 'id') ?? this.reading.name;
    const about = known({ id, format: 'codex' as const, ...this.#names, contextWindow: this.#window });
    return { about, ...this.#items.told };
  }

  /** A line that is not an item: what it says of the session is kept. */
  #about(type: string, payload: Fields): void {
    const kind = nameIn(payload, 'type');
    this.reading.findings.leaveOut(kind === undefined ? type : `${type}:${kind}`);
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
    return known({ provider: nameIn(this.#header, 'model_provider') ?? 'unknown', model: this.#model });
  }
}

const usageFields = {
  input: ['input_tokens'],
  output: ['output_tokens'],
  cacheRead: 'cached_input_tokens',
  cacheWrite: 'cache_write_input_tokens',
};

/** The report of the newest response in a line: newer versions write two such lines, older ones the event. */
function reportIn(type: string, { type: kind, info, usage }: Fields): unknown {
  if (type === 'token_usage_record') return usage;
  return type === 'event_msg' && kind === 'token_count' && isFields(info) ? info.last_token_usage : undefined;
}
