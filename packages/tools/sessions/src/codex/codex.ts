import { type Fields, isFields, nameIn } from '../fields.js';
import type { SessionRecord } from '../files/records.js';
import type { Reading, Recorder } from '../reader.js';
import type { Told } from '../telling/told.js';
import { CodexItems } from './items.js';
import { codexUsage, codexWindow, totalIn } from './usage.js';

/** A rollout of Codex: items as the Responses API takes them, and lines about them. */
export class Codex implements Recorder {
  readonly #items: CodexItems;
  #header: Fields = {};
  #model: string | undefined;
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
    const { provider, ...about } = this.#names();
    const id = nameIn(this.#header, 'id') ?? this.reading.name;
    const window = this.#window === undefined ? {} : { contextWindow: this.#window };
    return {
      about: { id, format: 'codex', provider, ...about, ...window },
      ...this.#items.told,
    };
  }

  /** A line that is not an item: what it says of the session is kept. */
  #about(type: string, payload: Fields): void {
    const kind = nameIn(payload, 'type');
    this.reading.findings.leaveOut(kind === undefined ? type : `${type}:${kind}`);
    if (type === 'session_meta' && nameIn(this.#header, 'id') === undefined) this.#header = payload;
    if (type === 'turn_context') this.#model = nameIn(payload, 'model') ?? this.#model;
    if (type === 'event_msg') this.#window = codexWindow(payload) ?? this.#window;
    const tokens = codexUsage(type, payload);
    const total = totalIn(payload);
    if (tokens === undefined || (total !== undefined && total === this.#total)) return;
    this.#total = total;
    const { provider, model = 'unknown' } = this.#names();
    this.#items.report({ ...tokens, provider, model, aborted: false });
  }

  #names(): { provider: string; model?: string } {
    const provider = nameIn(this.#header, 'model_provider') ?? 'unknown';
    return { provider, ...(this.#model !== undefined && { model: this.#model }) };
  }
}
