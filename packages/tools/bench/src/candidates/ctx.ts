import {
  bpeCounter,
  type CompressionStrategy,
  type Config,
  type ContextManager,
  type DependencyContainer,
  type Message,
  type ModelId,
  strategyNames,
  summarizerToken,
} from '@ctx/core';
import { createContextManager, defaults, ladder } from '@ctx/presets';
import { createSummarizer } from '@ctx/strategy-condense';
import { usualPrices } from '../cached-cost.js';
import { noOverhead } from '../count-tokens.js';
import type { Candidate, Compressed, CompressTask } from './candidate.js';

/** The presets' choice for the session's model. */
const defaultPipeline = 'default pipeline';

/**
 * Counts as the benchmark does, and returns views that Anthropic accepts. Without another window the budget is the window, so that core's
 * last resort follows every strategy, as it does for a user.
 */
const neutral: Config = {
  overhead: noOverhead,
  prior: { offset: 0, factor: 1, perToolCall: 0 },
  encoding: 'o200k_base',
  leadingUser: true,
  throttleMs: 0,
  prices: usualPrices,
};
/** Loads the tokenizer before the conversation is counted, so that counting is not part of the measured time. */
const counter = bpeCounter(neutral.encoding);

/** What a user gets without choosing. */
export const defaultCandidate: Candidate = pipelineOf(defaultPipeline);

/** Every strategy alone, and the presets' pipelines. */
export const ctxCandidates: readonly Candidate[] = [
  ...strategyNames(defaults()).map((name) => pipelineOf(name, [name])),
  pipelineOf('ladder', ladder),
  defaultCandidate,
];

function pipelineOf(name: string, pipeline?: readonly string[]): Candidate {
  const stages = pipeline === undefined ? {} : { pipeline: [...pipeline] };
  return {
    name,
    kind: 'ctx',
    compress: (task) => compressed(task, stages),
    replay({ model, limit, prices = usualPrices }) {
      const manager = managerOf(model, { ...neutral, ...stages, prices, contextWindow: limit });
      return {
        append: (message) => void manager.append(message),
        async view() {
          await manager.checkAndCompress({ beforeSend: true });
          return manager.view();
        },
      };
    },
  };
}

/** `condense` with a model that answers with this text, and the excerpt in the rest of the room. */
export function condensedWith(summary: string): Candidate {
  const container = defaults();
  container.register(summarizerToken, {
    useValue: createSummarizer({ model: async () => summary, minWindow: 0 }),
  });
  const name = 'condense with the summary';
  const stages = { pipeline: ['condense'] };
  return { name, kind: 'ctx', compress: (task) => compressed(task, stages, { container }) };
}

/** A strategy without a preset, measured in static cuts like the others. */
export function strategyCandidate(name: string, strategy: CompressionStrategy): Candidate {
  return { name, kind: 'ctx', compress: (task) => compressed(task, {}, { strategy }) };
}

async function compressed(
  { cut, model, budget, window = budget }: CompressTask,
  stages: Pick<Config, 'pipeline'>,
  { strategy, container }: { strategy?: CompressionStrategy; container?: DependencyContainer } = {},
): Promise<Compressed> {
  await counter.load?.();
  const config = { ...neutral, ...stages, contextWindow: window, reserve: 0 };
  const manager = managerOf(model, config, { messages: cut.prefix, container });
  const start = performance.now();
  const { record } = await manager.compress({ targetTokens: budget, ...(strategy && { strategy }) });
  return { messages: manager.view(), ms: performance.now() - start, record };
}

/** A clock that always shows the time of the newest message with a time. */
function managerOf(
  model: ModelId,
  config: Config,
  {
    messages = [],
    container,
  }: { messages?: readonly Message[]; container?: DependencyContainer | undefined } = {},
): ContextManager {
  const now = messages.findLast(({ createdAt }) => createdAt !== undefined)?.createdAt ?? 0;
  const manager = createContextManager({ ...model, config, counter, container, now: () => now });
  for (const message of messages) manager.append(message);
  return manager;
}
