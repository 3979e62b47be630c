import { memoryArchive } from '@ctx/archive';
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
import { createContextManager, defaults, ladder, presetFor } from '@ctx/presets';
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

/** Tokens of a result that is shortened, and of its excerpt: of the recorded results and those of the scripted agents some are larger. */
export const shortArrivals = { over: 2_000, to: 500 };

/** Every strategy alone, and the presets' pipelines. */
export const ctxCandidates: readonly Candidate[] = [
  ...strategyNames(defaults()).map((name) => pipelineOf(name, { pipeline: [name] })),
  pipelineOf('ladder', { pipeline: [...ladder] }),
  defaultCandidate,
  arrivalsFirst(pipelineOf(`${defaultPipeline}, arrivals`, { arrivals: shortArrivals })),
];

function pipelineOf(name: string, own: Config = {}): Candidate {
  return {
    name,
    kind: 'ctx',
    compress: (task) => compressed(task, own),
    replay({ model, limit, prices = usualPrices }) {
      const manager = managerOf(model, { ...neutral, ...own, prices, contextWindow: limit });
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

/** The same for a cut: its results were shortened when they arrived, before it is compressed. */
function arrivalsFirst({ replay, ...candidate }: Candidate): Candidate {
  const arrived = async ({ cut, model, tokensOf }: CompressTask) => {
    const replayed = replay?.({ model, limit: Number.MAX_SAFE_INTEGER, tokensOf });
    for (const message of cut.prefix) {
      if (message.role === 'assistant') await replayed?.view();
      replayed?.append(message);
    }
    return (await replayed?.view()) ?? cut.prefix;
  };
  const compress = async (task: CompressTask) =>
    compressed({ ...task, cut: { ...task.cut, prefix: await arrived(task) } }, {});
  return { ...candidate, compress, ...(replay && { replay }) };
}

/** What `summarize` gives with a model that answers with this text: `condense`, and if it fails the presets' choice. */
export function condensedWith(summary: string): Candidate {
  const container = defaults();
  container.register(summarizerToken, {
    useValue: createSummarizer({ model: async () => summary, minWindow: 0 }),
  });
  const name = 'condense with the summary';
  return {
    name,
    kind: 'ctx',
    compress: (task) => {
      const { pipeline = [] } = presetFor(task.model);
      return compressed(task, { pipeline: ['condense', ...pipeline] }, { container });
    },
  };
}

/** A strategy without a preset, measured in static cuts like the others. */
export function strategyCandidate(name: string, strategy: CompressionStrategy): Candidate {
  return { name, kind: 'ctx', compress: (task) => compressed(task, {}, { strategy }) };
}

async function compressed(
  { cut, model, budget, window = budget }: CompressTask,
  own: Config,
  { strategy, container }: { strategy?: CompressionStrategy; container?: DependencyContainer } = {},
): Promise<Compressed> {
  await counter.load?.();
  const config = { ...neutral, ...own, contextWindow: window, reserve: 0 };
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
  const archive = config.arrivals === undefined ? undefined : memoryArchive();
  const manager = createContextManager({ ...model, config, counter, container, archive, now: () => now });
  for (const message of messages) manager.append(message);
  return manager;
}
