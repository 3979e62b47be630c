import type { Wait } from '../base/deadline.js';
import type { DependencyContainer } from '../base/di.js';
import type { SliceOptions } from '../base/slices.js';
import type { Meter } from '../budget/meter.js';
import type { Settings } from '../config/config.js';
import type { Conversation } from '../view/conversation.js';
import type { SafeEmitter } from './events.js';
import type { ModelPause } from './model-pause.js';
import {
  addToTotals,
  type CompressionOutcome,
  type CompressionRecord,
  type CompressionTotals,
  noCompressions,
} from './record.js';

interface Surroundings {
  readonly conversation: Conversation<CompressionRecord>;
  readonly settings: Settings;
  readonly container: DependencyContainer;
  readonly events: SafeEmitter;
  readonly now: () => number;
  readonly slices?: SliceOptions | undefined;
  readonly modelPause: ModelPause;
  readonly wait?: Wait | undefined;
}

export interface CompressorState {
  readonly totals: CompressionTotals;
  readonly recordNumber: number;
  readonly stalled: readonly (readonly [strategy: string, tokens: number])[];
}

export class Compressor {
  totals: CompressionTotals = noCompressions;
  recordNumber = 0;
  /** Strategies that made no progress, each with the tokens of the smallest view since. */
  stalled = new Map<string, number>();

  constructor(
    readonly meter: Meter,
    readonly surroundings: Surroundings,
  ) {}

  /** Forgets which stages stalled, because after a change from outside they may make progress. */
  forgetStalls(): void {
    // A new map, so that a running compression still writes to the old one.
    this.stalled = new Map();
  }

  get state(): CompressorState {
    const { totals, recordNumber } = this;
    return { totals: { ...totals }, recordNumber, stalled: [...this.stalled] };
  }

  resume({ totals, recordNumber, stalled }: CompressorState): void {
    this.totals = totals;
    this.recordNumber = recordNumber;
    this.stalled = new Map(stalled);
  }

  add(record: CompressionRecord): void {
    this.surroundings.conversation.addRecord(record);
    this.recordNumber += 1;
    this.meter.calibration.releaseAnchor();
    this.meter.spending.rewritten(record.cost?.prefixTokens ?? 0);
    if (record.beforeSend) return;
    this.totals = addToTotals(this.totals, record);
    this.meter.overpaid.forget();
  }

  skip(reason: string): CompressionOutcome {
    this.surroundings.events.emit('compression-skip', { reason });
    return { status: 'unchanged', reason };
  }
}
