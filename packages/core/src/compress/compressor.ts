import type { Meter } from '../budget/meter.js';
import type { CompressionStrategy } from '../view/strategy.js';
import type { Start } from './compression.js';
import type { CompressionRequest } from './compression-request.js';
import { MetricsCounter, type MetricsState } from './metrics.js';
import type { CompressionOutcome, Simulation } from './outcome.js';
import {
  addToTotals,
  type CompressionRecord,
  type CompressionTotals,
  noCompressions,
  type Standing,
} from './record.js';
import type { Surroundings } from './run.js';

/** The state of the compressor as plain JSON, for a snapshot. Optional fields are missing in older snapshots. */
export interface CompressorState {
  readonly totals: CompressionTotals;
  readonly recordNumber: number;
  readonly metrics?: MetricsState | undefined;
  readonly stalled?: readonly (readonly [strategy: string, tokens: number])[] | undefined;
}

/** Compresses the conversation, and keeps what its compressions have in common. */
export class Compressor {
  totals: CompressionTotals = noCompressions;
  recordNumber = 0;
  readonly metrics = new MetricsCounter();
  /** Strategies that made no progress, each with the tokens of the smallest view since. */
  #stalled = new Map<string, number>();

  constructor(
    readonly meter: Meter,
    readonly surroundings: Surroundings,
  ) {}

  /** Forgets which stages stalled, because after a change from outside they may make progress. */
  forgetStalls(): void {
    // A new map, so that a running compression still writes to the old one.
    this.#stalled = new Map();
  }

  /** The tokens of the view on which a strategy made no progress. */
  stalledAt(strategy: string): number | undefined {
    return this.#stalled.get(strategy);
  }

  get state(): CompressorState {
    const { totals, recordNumber } = this;
    return { totals, recordNumber, metrics: this.metrics.state, stalled: [...this.#stalled] };
  }

  resume({ totals, recordNumber, metrics, stalled }: CompressorState): void {
    this.totals = totals;
    this.recordNumber = recordNumber;
    if (metrics !== undefined) this.metrics.resume(metrics);
    for (const [strategy, tokens] of stalled ?? []) this.#stalled.set(strategy, tokens);
  }

  /** @throws ContextOverflowError when the view is larger than the window after every stage */
  async compress(request: CompressionRequest): Promise<CompressionOutcome> {
    const { conversation, events, now } = this.surroundings;
    const { reason, targetTokens } = request;
    const start: Start = {
      id: `compression-${this.recordNumber + 1}`,
      at: now(),
      standing: this.standing(),
      targetTokens: this.meter.viewTokensFor(targetTokens) + this.meter.fixedTokens,
      generation: conversation.generation,
      stalled: this.#stalled,
    };
    events.emit('compression-start', { reason, tokens: start.standing.tokens, targetTokens });
    // Loaded with the first compression: a conversation that fits needs none.
    const { compressed } = await import('./compression.js');
    return compressed(this, request, start);
  }

  /** Counts a record that was put in force. */
  add(record: CompressionRecord, { upkeep }: CompressionRequest): void {
    this.surroundings.conversation.addRecord(record);
    this.recordNumber += 1;
    this.meter.calibration.releaseAnchor();
    this.meter.spending.rewritten(record.cost?.prefixTokens ?? 0);
    if (upkeep) return;
    this.totals = addToTotals(this.totals, record);
    this.meter.forgetOverpaid();
  }

  /** @throws CtxError `aborted` */
  async simulate(
    stages: readonly CompressionStrategy[],
    targetTokens: number,
    signal?: AbortSignal,
  ): Promise<Simulation> {
    const { simulated } = await import('./compression.js');
    return simulated(this, { stages, targetTokens, reason: 'simulated', signal });
  }

  skip(reason: string): CompressionOutcome {
    this.surroundings.events.emit('compression-skip', { reason });
    return { status: 'unchanged', reason };
  }

  /** The conversation as it is now. */
  standing(): Standing {
    const { meter } = this;
    const { view } = meter.conversation;
    return {
      tokens: meter.measure().tokens,
      countedTokens: meter.counted().tokens,
      level: meter.level,
      messages: view.entries.length,
      view,
    };
  }
}
