/**
 * ctx in pi: what pi would have a model summarise becomes an excerpt, word for word, without a model.
 * Usage: pi -e FOLDER/agents/pi.ts; --ctx-arrivals also shortens large results before they are first sent.
 */
import { recall } from '../plugin/hooks/ctx.js';
import type { Row } from '../src/rows.js';
import { shortenedToFile } from './arrival-files.js';
import { compactToText } from './one-text.js';

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

interface Message {
  readonly role: string;
  readonly content?: string | readonly Part[];
  readonly toolCallId?: string;
  readonly isError?: boolean;
  readonly command?: string;
  readonly output?: string;
}

interface Entry {
  readonly type: string;
  readonly id: string;
  readonly message?: Message;
  readonly content?: string | readonly Part[];
}

/** What is used of pi's extension API, as in 0.87. */
interface Pi {
  on(event: string, handler: (event: never, context: Context) => unknown): void;
  registerTool(tool: object): void;
  registerFlag(name: string, flag: object): void;
  getFlag(name: string): unknown;
}

interface Context {
  readonly ui: { notify(text: string, kind: 'info' | 'error'): void };
  readonly sessionManager: { getBranch(): readonly Entry[] };
  readonly model?: { readonly contextWindow: number };
}

interface BeforeCompact {
  readonly preparation: {
    readonly firstKeptEntryId: string;
    readonly tokensBefore: number;
    readonly settings: { readonly keepRecentTokens: number };
  };
  readonly branchEntries: readonly Entry[];
  readonly customInstructions?: string;
}

interface ToolResult {
  readonly toolCallId: string;
  readonly content: readonly Part[];
}

/** The share of the conversation that stays, with what pi keeps; see docs/results.md. */
const share = 0.4;
/** Tokens of an excerpt that are worth having, whatever the window. */
const leastTokens = 4_000;

export default function register(pi: Pi): void {
  pi.registerFlag('ctx-arrivals', { type: 'boolean', default: false, description: 'Shorten large results' });
  pi.registerTool({
    name: 'recall',
    label: 'recall',
    description:
      'Finds what was said earlier in this conversation and is no longer shown, word for word: by handles such as #m12 or #m3-#m9, or by a few words.',
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
    execute: async (
      _: string,
      { query = '' }: { query?: unknown },
      __: unknown,
      ___: unknown,
      context: Context,
    ) => ({
      content: [{ type: 'text', text: recall(rowsOf(context.sessionManager.getBranch()), String(query)) }],
      details: {},
    }),
  });

  pi.on('session_before_compact', async (event: BeforeCompact, { ui, model }) => {
    try {
      const { firstKeptEntryId, tokensBefore, settings } = event.preparation;
      // From the originals each time, never from an older excerpt.
      const kept = event.branchEntries.findIndex((entry) => entry?.id === firstKeptEntryId);
      if (kept <= 0) return undefined;
      const half = (model?.contextWindow ?? Number.POSITIVE_INFINITY) / 2;
      const wanted = Math.min(tokensBefore * share, half) - settings.keepRecentTokens;
      const summary = await compactToText(rowsOf(event.branchEntries.slice(0, kept)), {
        targetTokens: Math.max(wanted, leastTokens),
        focus: event.customInstructions,
        handles: true,
      });
      ui.notify('ctx made an excerpt; no model was asked', 'info');
      return { compaction: { summary, firstKeptEntryId, tokensBefore } };
    } catch (error) {
      ui.notify(`ctx failed, so pi compacts: ${error instanceof Error ? error.message : error}`, 'error');
      return undefined;
    }
  });

  pi.on('tool_result', ({ toolCallId, content }: ToolResult) => {
    if (pi.getFlag('ctx-arrivals') !== true || !Array.isArray(content)) return undefined;
    if (content.some((part) => part?.type !== 'text')) return undefined;
    const text = shortenedToFile(String(toolCallId), textOf(content));
    return text === undefined ? undefined : { content: [{ type: 'text', text }] };
  });
}

type Content = string | readonly (Part | null)[] | null | undefined;

function textOf(content: Content): string {
  return typeof content === 'string'
    ? content
    : partsIn(content)
        .map(({ type, text }) => text ?? `[${type}]`)
        .join('\n');
}

/** Other versions, or a damaged session, may have none. */
const partsIn = (content: Content): readonly Part[] =>
  Array.isArray(content) ? content.filter((part) => part !== null && typeof part === 'object') : [];

function rowsOf(entries: readonly Entry[]): Row[] {
  return entries.flatMap((entry): Row[] => {
    const { type, message, content } = entry ?? {};
    if (type === 'custom_message') return [{ role: 'user', text: textOf(content), toolUses: [] }];
    if (type !== 'message' || message === undefined) return [];
    const { role, toolCallId = '', isError = false, command, output } = message;
    if (role === 'user') return [{ role, text: textOf(message.content), toolUses: [] }];
    if (role === 'bashExecution')
      return [{ role: 'user', text: `$ ${command}\n${output ?? ''}`, toolUses: [] }];
    if (role === 'toolResult') {
      const result = { tool_use_id: toolCallId, text: textOf(message.content), isError };
      return [{ role: 'user', text: '', toolUses: [], toolResults: [result] }];
    }
    if (role !== 'assistant' || typeof message.content === 'string') return [];
    return partsIn(message.content).flatMap((part): Row[] => {
      if (part.type === 'text') return [{ role, text: part.text ?? '', toolUses: [] }];
      if (part.type !== 'toolCall') return [];
      const use = { tool_use_id: part.id ?? '', tool: part.name ?? '', input: part.arguments ?? {} };
      return [{ role, text: '', toolUses: [use] }];
    });
  });
}
