import type { CompressionLevel } from '../base/compression-level.js';
import type { DependencyContainer } from '../base/di.js';
import type { TranscriptMessage } from '../transcript/transcript.js';
import type { Edit, ResolvedEdit } from '../view/edit.js';
import type { GateRules, RejectedEdit } from '../view/gate.js';
import type { PriorityPreset } from '../view/priority.js';
import type { CompressionStrategy } from '../view/strategy.js';
import type { View } from '../view/view.js';
import type { CountMessage } from '../view/view-entry.js';
import type { SafeEmitter } from './events.js';
import type { CompressionRecord, StageReport } from './record.js';

/** What a run of the stages works with. All token figures are as counted here, of the view's messages. */
export interface Run {
  readonly view: View;
  readonly transcript: readonly TranscriptMessage[];
  readonly stages: readonly CompressionStrategy[];
  readonly targetTokens: number;
  /** Messages to get down to, where their number matters. */
  readonly targetMessages?: number | undefined;
  readonly maxTokens: number;
  /** The same for a view that may be made up otherwise: what a provider adds for each call goes with the calls. */
  maxTokensFor(view: View): number;
  readonly minMessagesToKeep: number;
  readonly level: CompressionLevel;
  readonly now: number;
  readonly random: () => number;
  readonly priorities: PriorityPreset;
  readonly rules: GateRules;
  readonly count: CountMessage;
  tokensOf(text: string): number;
  readonly record: string;
  /** Where unresolved edits find their ports; without it they are left unresolved. */
  readonly container?: DependencyContainer | undefined;
  /** The window in the provider's measure. */
  readonly contextWindow: number;
  /** False where somebody asked for it by hand. */
  readonly automatic: boolean;
  readonly instructions?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
  /** Why a stage is to be passed over, if it is. */
  passOver?(strategy: CompressionStrategy, view: View): string | undefined;
  readonly events?: SafeEmitter | undefined;
}

export interface RunResult {
  readonly view: View;
  readonly edits: readonly ResolvedEdit[];
  readonly rejected: readonly RejectedEdit[];
  readonly unresolved: readonly Edit[];
  readonly stages: readonly StageReport[];
  /** What may be done besides what is allowed otherwise: in a crowded window, or by the last resort. */
  readonly rules: ((rules: GateRules) => GateRules) | undefined;
  readonly relaxed: CompressionRecord['relaxed'];
}
