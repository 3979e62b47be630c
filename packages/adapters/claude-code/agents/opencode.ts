/**
 * ctx in OpenCode: from half of the window on, all but the newest messages are sent as an excerpt, word for word, made without a model.
 * What OpenCode stores and shows stays whole. How to use it: docs/claude-code.md.
 */
import { estimateTokens } from '../plugin/hooks/ctx.js';
import type { Row } from '../src/rows.js';
import { shortenedToFile } from './arrival-files.js';
import { compactToText } from './one-text.js';

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly callID?: string;
  readonly tool?: string;
  readonly state?: { status: string; input?: Record<string, unknown>; output?: unknown; error?: string };
}

interface Model {
  readonly providerID: string;
  readonly modelID: string;
}

interface Message {
  readonly info: { id: string; role: 'user' | 'assistant'; sessionID: string; model?: Model };
  readonly parts: readonly Part[];
}

interface Provider {
  readonly id: string;
  readonly models: Readonly<Record<string, { readonly limit?: { readonly context?: number } }>>;
}

/** What is used of OpenCode's plugin API, as in 1.18. */
interface Client {
  readonly config: { providers(): Promise<{ readonly data?: { readonly providers: readonly Provider[] } }> };
  readonly app: { log(entry: { body: { service: string; level: 'error'; message: string } }): unknown };
}

/** What is sent in the place of the messages up to one of them. It stands still until the next cut, so that the prompt cache holds. */
interface Cut {
  readonly last: string;
  readonly text: string;
}

/** The share of the window from which on a conversation is cut, and the share of it that stays. */
const [trigger, share] = [0.5, 0.4];
/** Tokens of the newest messages, which stay as they are. */
const newest = 12_000;
/** Tokens of an excerpt that are worth having, whatever the window. */
const leastTokens = 4_000;
/** Tokens of a window that is not known. */
const usualWindow = 200_000;
/** Tokens as o200k counts them, by the estimate. */
const factor = 1.2;

export const ContextPlugin = async ({ client }: { client: Client }, options: { arrivals?: boolean } = {}) => {
  const cuts = new Map<string, Cut>();
  const windows = new Map<string, number>();

  /** Tokens of the window of the model that was asked last. */
  async function windowOf(messages: readonly Message[]): Promise<number> {
    const { providerID = '', modelID = '' } = messages.findLast(({ info }) => info.model)?.info.model ?? {};
    const key = `${providerID} ${modelID}`;
    if (!windows.has(key)) {
      const { data } = (await client.config.providers().catch(() => undefined)) ?? {};
      const { models } = data?.providers.find(({ id }) => id === providerID) ?? {};
      windows.set(key, models?.[modelID]?.limit?.context || usualWindow);
    }
    return windows.get(key) ?? usualWindow;
  }

  async function cutOf(messages: readonly Message[], sessionID: string): Promise<Cut | undefined> {
    const known = cuts.get(sessionID);
    const last = messages.findIndex(({ info }) => info.id === known?.last);
    const cut = last < 0 ? undefined : known;
    const window = await windowOf(messages);
    const tokens = tokensOf(messages.slice(last + 1)) + estimateTokens(cut?.text ?? '') * factor;
    const end = endOfOlder(messages);
    const older = messages[end - 1];
    if (tokens <= window * trigger || older === undefined) return cut;
    // From the originals each time, never from an older excerpt.
    const targetTokens = Math.max(leastTokens, Math.min(tokens * share, (window * trigger) / 2) - newest);
    const text = await compactToText(rowsOf(messages.slice(0, end)), { targetTokens, handles: false });
    cuts.set(sessionID, { last: older.info.id, text });
    return cuts.get(sessionID);
  }

  return {
    'experimental.chat.messages.transform': async (_: unknown, { messages }: { messages: Message[] }) => {
      const [first] = messages;
      if (first === undefined) return;
      const { sessionID } = first.info;
      try {
        const cut = await cutOf(messages, sessionID);
        if (cut === undefined) return;
        const user = messages.find(({ info }) => info.role === 'user') ?? first;
        const info = { ...user.info, id: `${cut.last}-ctx`, role: 'user' as const };
        const part = { type: 'text', text: cut.text, id: `${info.id}-text`, messageID: info.id, sessionID };
        const end = messages.findIndex((one) => one.info.id === cut.last) + 1;
        messages.splice(0, end, { info, parts: [part] });
      } catch (error) {
        const message = `nothing was cut: ${error instanceof Error ? error.message : error}`;
        await client.app.log({ body: { service: 'ctx', level: 'error', message } });
      }
    },

    'tool.execute.after': async (input: { callID: string }, output: { output: string }) => {
      if (options.arrivals !== true || typeof output.output !== 'string') return;
      output.output = shortenedToFile(String(input.callID), output.output) ?? output.output;
    },
  };
};

/** How many messages are older than the newest that stay. The newest message always stays. */
function endOfOlder(messages: readonly Message[]): number {
  let end = messages.length - 1;
  for (let room = newest - tokensOf(messages.slice(end)); end > 0; end -= 1) {
    room -= tokensOf(messages.slice(end - 1, end));
    if (room < 0) break;
  }
  return end;
}

function tokensOf(messages: readonly Message[]): number {
  const texts = rowsOf(messages).flatMap(({ text, toolUses, toolResults = [] }) => [
    text,
    ...toolUses.map(({ input }) => JSON.stringify(input)),
    ...toolResults.map((result) => result.text),
  ]);
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0) * factor;
}

function rowsOf(messages: readonly Message[]): Row[] {
  return messages.flatMap(({ info: { role }, parts = [] }) =>
    parts.flatMap(({ type, text = '', callID = '', tool = '', state }): Row[] => {
      if (type === 'text') return [{ role, text, toolUses: [] }];
      if (type === 'file') return [{ role, text: '[file]', toolUses: [] }];
      if (type !== 'tool' || state === undefined) return [];
      const { input, output = state.error ?? '' } = state;
      const result = {
        tool_use_id: callID,
        text: typeof output === 'string' ? output : JSON.stringify(output),
        isError: state.status === 'error',
      };
      return [
        { role, text: '', toolUses: [{ tool_use_id: callID, tool, input: input ?? {} }] },
        { role: 'user', text: '', toolUses: [], toolResults: [result] },
      ];
    }),
  );
}
