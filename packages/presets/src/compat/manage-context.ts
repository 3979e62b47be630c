import {
  type CompressionOutcome,
  type Config,
  createContainer,
  folderToken,
  type Message,
  type ModelId,
  messageText,
  summarizerToken,
} from '@ctx/core';
import type { Ask, ChatModel } from '@ctx/strategy-condense';
import { createContextManager, registerDefaults } from '../defaults.js';
import { ladder } from '../ladder.js';
import { type ContextThreshold, thresholdKeys, triggerOf } from './context-threshold.js';
import { type ModelUsage, metered } from './metered-model.js';
import { type Keys, refuseUnknown } from './option-keys.js';
import { type ProjectFiles, projectFolder, projectSummarizer } from './project-files.js';

interface ManageContextOptions extends ContextThreshold, ProjectFiles, ModelId {
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
  /** Options of smart truncation, which runs if no summary could be written. */
  readonly smartTruncationOptions?: Readonly<Record<string, unknown>> | undefined;
  /** Any other setting of the configuration. */
  readonly config?: Config | undefined;
}

const keys: Keys<ManageContextOptions> = {
  ...thresholdKeys,
  messages: true,
  systemPrompt: true,
  tools: true,
  provider: true,
  model: true,
  chatModel: true,
  customCondensingPrompt: true,
  environmentDetails: true,
  smartTruncationOptions: true,
  cwd: true,
  filesReadByRoo: true,
  rooIgnoreController: true,
  fileFoldingOptions: true,
  config: true,
};

interface ManagedContext extends CompressionOutcome {
  readonly messages: readonly Message[];
  /** Tokens of the request as it is now. */
  readonly totalTokens: number;
  /** The summary text. */
  readonly summary?: string;
  /** Why an attempted summary failed. The messages were truncated instead. */
  readonly condenseError?: string;
  /** What the model used, even for a useless summary; missing if it was not asked. */
  readonly usage?: ModelUsage;
}

/**
 * Compatibility layer in the terms of Roo Code; a manager does the same and remembers it. Checks a conversation that is kept elsewhere:
 * counts it, summarises it if it is too large, and truncates it if that fails. The returned messages do not include the system prompt.
 * @throws ValidationError, ConfigError, ContextOverflowError as a manager does, and ConfigError `config-invalid` for an option that it does not
 * take
 */
export async function manageContext(options: ManageContextOptions): Promise<ManagedContext> {
  refuseUnknown(options, keys, 'manageContext');
  const { messages, systemPrompt, tools, contextWindow, maxTokens, provider, model, config } = options;
  const { autoCondenseContext = true, chatModel, customCondensingPrompt, environmentDetails } = options;
  const { smartTruncationOptions = {} } = options;
  const asked = chatModel === undefined ? undefined : metered(chatModel);
  const summarizer = { model: asked?.model, prompt: customCondensingPrompt, environmentDetails };
  const container = createContainer();
  container.register(summarizerToken, { useValue: projectSummarizer(summarizer, options) });
  container.register(folderToken, { useValue: projectFolder(options) });
  const manager = createContextManager({
    provider,
    model,
    tools,
    container: registerDefaults(container),
    config: {
      trigger: triggerOf(options),
      pipeline: autoCondenseContext ? [...ladder] : ladder.filter((name) => name !== 'condense'),
      reserve: maxTokens ?? 4096,
      ...config,
      options: {
        ...config?.options,
        'smart-truncation': { ...config?.options?.['smart-truncation'], ...smartTruncationOptions },
      },
      contextWindow,
    },
  });
  if (systemPrompt !== undefined && systemPrompt !== '')
    manager.append({ role: 'system', content: systemPrompt });
  const system = manager.view()[0];
  for (const message of messages) manager.append(message);
  const outcome = await manager.checkAndCompress();
  const view = manager.view();
  const summary =
    outcome.record && view.find((message) => message.summary === true && !messages.includes(message));
  const condensing = outcome.record?.stages.find(({ strategy }) => strategy === 'condense');
  const usage = asked?.used();
  return {
    ...outcome,
    messages: system === undefined ? view : view.filter((message) => message !== system),
    totalTokens: manager.stats().currentTokens,
    ...(summary !== undefined && { summary: messageText(summary) }),
    ...(condensing?.error !== undefined && { condenseError: condensing.error }),
    ...(usage !== undefined && usage.calls > 0 && { usage }),
  };
}
