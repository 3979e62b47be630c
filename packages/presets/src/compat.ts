import {
  allowedTokens,
  type CompressionOutcome,
  type Config,
  createContainer,
  effectiveThreshold,
  folderToken,
  type Message,
  type ModelId,
  messageText,
  type Settings,
  type Summarizer,
  summarizerToken,
} from '@ctx/core';
import { firedBy, messagesIn, Transcript } from '@ctx/core/kit';
import { type Ask, type ChatModel, createSummarizer, type SummarizerOptions } from '@ctx/strategy-condense';
import {
  createFolder,
  type FileFoldingOptions,
  foldFiles,
  type IgnoreRules,
} from '@ctx/strategy-file-folding';
import { checkedModel, checkNumber, invalid, refuseUnknown } from './checked.js';
import { createContextManager, ladder, registerDefaults } from './defaults.js';

// Three functions in the terms of Roo Code, for those who move from it.

/** When to manage a context. */
interface ContextThreshold {
  /** Tokens. */
  readonly contextWindow: number;
  /** Tokens reserved for the answer. @default 4096 */
  readonly maxTokens?: number | null | undefined;
  /** Percent of the window. @default 75 */
  readonly autoCondenseContextPercent?: number | undefined;
  /** Percent by profile: 5–100, or -1 for the one above. */
  readonly profileThresholds?: Readonly<Record<string, number>> | undefined;
  readonly currentProfileId?: string | undefined;
  /** False: nothing is summarised; only what exceeds the allowed tokens is truncated. @default true */
  readonly autoCondenseContext?: boolean | undefined;
}

interface ManageContextOptions extends ContextThreshold, ModelId {
  readonly messages: readonly Message[];
  readonly systemPrompt?: string | undefined;
  /** Tool definitions as the request carries them. */
  readonly tools?: unknown;
  /** Writes the summary: a model, or a function `(prompt) => Promise<string>`. @default none: it is extracted */
  readonly chatModel?: ChatModel | Ask | undefined;
  /** In place of the built-in prompt. */
  readonly customCondensingPrompt?: string | undefined;
  /** Appended to the summary. */
  readonly environmentDetails?: string | undefined;
  /** The project's folder. */
  readonly cwd?: string | undefined;
  /** Files that were read, the most important first: the summary ends with what they define. Needs `cwd`. */
  readonly filesReadByRoo?: readonly string[] | undefined;
  /** Which files may not be read. @default the rules of `.gitignore` and `.rooignore` */
  readonly rooIgnoreController?: IgnoreRules | undefined;
  readonly fileFoldingOptions?: Omit<FileFoldingOptions, 'cwd' | 'ignore' | 'signal'> | undefined;
  /** Options of smart truncation, which runs if no summary could be written. */
  readonly smartTruncationOptions?: Readonly<Record<string, unknown>> | undefined;
  /** Any other setting of the configuration. */
  readonly config?: Config | undefined;
}

const thresholdKeys =
  'contextWindow maxTokens autoCondenseContextPercent profileThresholds currentProfileId autoCondenseContext';
const managedKeys = `${thresholdKeys} messages systemPrompt tools provider model chatModel customCondensingPrompt environmentDetails
  cwd filesReadByRoo rooIgnoreController fileFoldingOptions smartTruncationOptions config`;

interface ManagedContext extends CompressionOutcome {
  readonly messages: readonly Message[];
  /** Tokens of the request as it is now. */
  readonly totalTokens: number;
  /** The summary text. */
  readonly summary?: string;
  /** Why an attempted summary failed. The messages were truncated instead. */
  readonly condenseError?: string;
  /** What the model used, even for a useless summary; missing if it was not asked. A plain function reports no tokens. */
  readonly usage?: ModelUsage;
}

interface ModelUsage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In the currency of the model's prices; 0 if it has none. */
  readonly cost: number;
}

/** Share of a summary's length for the files that were read. */
const filesShare = 0.2;

/**
 * True if `manageContext` would compress at `totalTokens` (system prompt, messages and tools). Pure.
 * @throws ConfigError `config-invalid` for an option that it does not take, or that is no number in its range
 */
export function willManageContext(options: ContextThreshold & { readonly totalTokens: number }): boolean {
  refuseUnknown(options, `${thresholdKeys} totalTokens`.split(' '), 'willManageContext');
  const { totalTokens: tokens, contextWindow, maxTokens } = options;
  checkNumber('totalTokens', tokens);
  checkNumber('contextWindow', contextWindow);
  const allowed = allowedTokens(contextWindow, maxTokens ?? undefined);
  const measure = { tokens, contextWindow, allowedTokens: allowed };
  return firedBy(triggerOf(options), measure) !== undefined;
}

/**
 * Checks a conversation that is kept elsewhere: counts it, summarises it if it is too large, and truncates it if that fails. A manager
 * does the same and remembers it. The returned messages do not include the system prompt.
 * @throws ValidationError, ConfigError, ContextOverflowError as a manager does, and ConfigError `config-invalid` for an option that it does not
 * take
 */
export async function manageContext(options: ManageContextOptions): Promise<ManagedContext> {
  refuseUnknown(options, managedKeys.split(/\s+/), 'manageContext');
  const { messages, systemPrompt, tools, contextWindow, maxTokens, provider, model, config } = options;
  const said = messagesIn(messages, 'messages');
  const chatModel = options.chatModel && checkedModel(options.chatModel, 'chatModel');
  const container = createContainer();
  container.register(summarizerToken, { useValue: projectSummarizer(chatModel, options) });
  const {
    cwd,
    rooIgnoreController: ignore,
    fileFoldingOptions: { mergeFunctions, maxLineSpan } = {},
  } = options;
  container.register(folderToken, { useValue: createFolder({ cwd, ignore, mergeFunctions, maxLineSpan }) });
  const manager = createContextManager({
    provider,
    model,
    tools,
    container: registerDefaults(container),
    config: {
      trigger: triggerOf(options),
      pipeline: ladder.filter((name) => name !== 'condense' || options.autoCondenseContext !== false),
      reserve: maxTokens ?? 4096,
      ...config,
      options: {
        ...config?.options,
        'smart-truncation': { ...config?.options?.['smart-truncation'], ...options.smartTruncationOptions },
      },
      contextWindow,
    },
  });
  if (systemPrompt !== undefined && systemPrompt !== '')
    manager.append({ role: 'system', content: systemPrompt });
  const system = manager.view()[0];
  for (const message of said) manager.append(message);
  const outcome = await manager.checkAndCompress();
  const view = manager.view();
  const summary =
    outcome.record && view.find((message) => message.summary === true && !messages.includes(message));
  const condensing = outcome.record?.stages.find(({ strategy }) => strategy === 'condense');
  // As `createSummarizer` notes it.
  const [noted] = (condensing?.notes?.resolutions ?? []) as readonly Partial<ModelUsage>[];
  const { calls = 0, inputTokens = 0, outputTokens = 0, cost = 0 } = noted ?? {};
  return {
    ...outcome,
    messages: view.filter((message) => message !== system),
    totalTokens: manager.stats().currentTokens,
    ...(summary !== undefined && { summary: messageText(summary) }),
    ...(condensing?.error !== undefined && { condenseError: condensing.error }),
    ...(calls > 0 && { usage: { calls, inputTokens, outputTokens, cost } }),
  };
}

/**
 * Roo Code's sliding window: drops a share of the messages after the first one, oldest first and always an even number. System messages
 * stay. So does an exchange that the window would cut in two.
 * @param fraction 0–1, default 0.5
 * @throws ConfigError `config-invalid` for another number
 */
export function truncateConversation(messages: readonly Message[], fraction = 0.5): Message[] {
  const transcript = new Transcript();
  for (const message of messagesIn(messages, 'messages')) transcript.append(message);
  checkNumber('fraction', fraction, 0, 1);
  const entries = transcript.messages;
  const spoken = entries.filter(({ message }) => message.role !== 'system');
  const share = Math.floor((spoken.length - 1) * fraction);
  const dropped = new Set(spoken.slice(1, 1 + share - (share % 2)));
  const cut = new Set(spoken.filter((entry) => !dropped.has(entry)).map(({ exchange }) => exchange));
  return entries
    .filter((entry) => !dropped.has(entry) || cut.has(entry.exchange))
    .map(({ message }) => message);
}

function triggerOf(threshold: ContextThreshold): Settings['trigger'] {
  const { autoCondenseContextPercent: general = 75, currentProfileId, profileThresholds } = threshold;
  checkNumber('maxTokens', threshold.maxTokens ?? 0);
  checkNumber('autoCondenseContextPercent', general, 1, 100);
  if (threshold.autoCondenseContext === false) return { allowedTokens: true };
  const { percent } = effectiveThreshold(general, currentProfileId, profileThresholds ?? {});
  return { fraction: percent / 100, allowedTokens: true };
}

/** Writes summaries that end with the files that were read, if the caller names them, and then with the surroundings. */
function projectSummarizer(model: SummarizerOptions['model'], options: ManageContextOptions): Summarizer {
  const { cwd, filesReadByRoo = [], rooIgnoreController: ignore, fileFoldingOptions = {} } = options;
  const { environmentDetails = '', customCondensingPrompt: prompt } = options;
  const ending = (details: string) =>
    createSummarizer({ model, prompt, environmentDetails: details === '' ? undefined : () => details });
  if (filesReadByRoo.length === 0) return ending(environmentDetails);
  const remedy = "Give the project's folder in cwd.";
  if (cwd === undefined)
    throw invalid('Files can be folded only inside a folder', 'filesReadByRoo', filesReadByRoo, remedy);
  return {
    asks: () => true,
    async summarize(request) {
      const { maxTokens = 10_000 } = fileFoldingOptions;
      const { content } = await foldFiles(filesReadByRoo, {
        ...fileFoldingOptions,
        cwd,
        ignore,
        maxTokens: Math.max(1, Math.min(maxTokens, Math.floor(filesShare * request.maxTokens))),
        signal: request.signal,
      });
      const details = [content, environmentDetails].filter((part) => part !== '').join('\n\n');
      return ending(details).summarize({ ...request, folder: undefined });
    },
  };
}
