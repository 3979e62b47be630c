/**
 * ctx in OpenCode: when a conversation fills half of the window, everything but the newest exchanges is sent as an excerpt, word for word,
 * made without a model. OpenCode stores and shows the whole conversation as before.
 * Usage: "plugin": ["FOLDER/agents/opencode.ts"] in opencode.json; with options ["…", { "arrivals": true }] large results are shortened
 * before they are first sent.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { estimateTokens, shortened } from '../plugin/hooks/ctx.js';
import type { Row } from '../src/rows.js';
import { compactToText } from './one-text.js';

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly callID?: string;
  readonly tool?: string;
  readonly state?: {
    readonly status: string;
    readonly input: Readonly<Record<string, unknown>>;
    readonly output?: string;
    readonly error?: string;
  };
}

interface Message {
  readonly info: { readonly id: string; readonly role: 'user' | 'assistant'; readonly sessionID: string };
  readonly parts: readonly Part[];
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
/** Tokens of a window that is not known yet. */
const usualWindow = 200_000;
/** Tokens as o200k counts them, by the estimate. */
const factor = 1.2;

export const ContextPlugin = async (_: unknown, options: { arrivals?: boolean } = {}) => {
  const cuts = new Map<string, Cut>();
  const windows = new Map<string, number>();
  let folder: string | undefined;
  return {
    'chat.params': async (input: { sessionID: string; model: { limit?: { context?: number } } }) => {
      windows.set(input.sessionID, input.model.limit?.context || usualWindow);
    },

    'experimental.chat.messages.transform': async (__: unknown, { messages }: { messages: Message[] }) => {
      const [first] = messages;
      if (first === undefined) return;
      const { sessionID } = first.info;
      const known = cuts.get(sessionID);
      const last = messages.findIndex(({ info }) => info.id === known?.last);
      let cut = last < 0 ? undefined : known;
      const sent = messages.slice(last + 1);
      const window = windows.get(sessionID) ?? usualWindow;
      const tokens = tokensOf(sent) + (cut === undefined ? 0 : estimateTokens(cut.text) * factor);
      if (tokens > window * trigger) {
        // From the originals each time, never from an older excerpt.
        const end = endOfOlder(messages);
        const older = messages[end - 1];
        if (older !== undefined) {
          const targetTokens = Math.max(
            leastTokens,
            Math.min(tokens * share, (window * trigger) / 2) - newest,
          );
          const text = await compactToText(rowsOf(messages.slice(0, end)), { targetTokens, handles: false });
          cut = { last: older.info.id, text };
          cuts.set(sessionID, cut);
        }
      }
      if (cut === undefined) return;
      const { last: id, text } = cut;
      const user = messages.find(({ info }) => info.role === 'user') ?? first;
      const made = { ...user.info, id: `${id}-ctx`, role: 'user' as const };
      const part = { type: 'text', text, id: `${id}-ctx-text`, messageID: made.id, sessionID };
      messages.splice(0, messages.findIndex(({ info }) => info.id === id) + 1, { info: made, parts: [part] });
    },

    'tool.execute.after': async (input: { callID: string }, output: { output: string }) => {
      if (options.arrivals !== true || typeof output.output !== 'string') return;
      folder ??= mkdtempSync(join(tmpdir(), 'ctx-'));
      const path = join(folder, `${input.callID.replace(/[^\w-]/g, '_')}.txt`);
      const text = shortened(output.output, path);
      if (text === undefined) return;
      writeFileSync(path, output.output);
      output.output = text;
    },
  };
};

/** How many messages are older than the newest that stay. The newest message always stays. */
function endOfOlder(messages: readonly Message[]): number {
  let end = messages.length - 1;
  for (let room = newest; end > 0; end -= 1) {
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
  return messages.flatMap(({ info: { role }, parts }) =>
    parts.flatMap(({ type, text = '', callID = '', tool = '', state }): Row[] => {
      if (type === 'text') return [{ role, text, toolUses: [] }];
      if (type === 'file') return [{ role, text: '[file]', toolUses: [] }];
      if (type !== 'tool' || state === undefined) return [];
      const result = {
        tool_use_id: callID,
        text: state.output ?? state.error ?? '',
        isError: state.status === 'error',
      };
      return [
        { role, text: '', toolUses: [{ tool_use_id: callID, tool, input: state.input }] },
        { role: 'user', text: '', toolUses: [], toolResults: [result] },
      ];
    }),
  );
}
