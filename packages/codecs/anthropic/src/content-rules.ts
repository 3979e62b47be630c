import type { Fields } from '@ctx/core/codec';
import { type Located, type Rule, withNested } from './rule.js';
import { isThinking } from './thinking.js';

/** In one request; the API refuses a fifth. */
const maxCacheBreakpoints = 4;

/** What the Messages API demands of the content. */
export const contentRules: Record<string, Rule> = {
  /** "messages: first message must use the "user" role" */
  'first-message-user': ({ messages, blocks }) =>
    messages[0]?.role === 'assistant' && blocks[0]?.[0]?.block.type !== 'compaction'
      ? [{ index: 0, detail: 'The first message is not the user’s.' }]
      : [],

  /** "all messages must have non-empty content except for the optional final assistant message", and for settings in a system message */
  'content-not-empty': ({ messages, blocks }) =>
    messages.flatMap((message, index) => {
      const { role } = message;
      const mayBeEmpty =
        role === 'system'
          ? 'output_config' in message
          : role === 'assistant' && index === messages.length - 1;
      return blocks[index]?.length === 0 && !mayBeEmpty
        ? [{ index, detail: `The ${role} message is empty.` }]
        : [];
    }),

  /** "text content blocks must be non-empty", "text content blocks must contain non-whitespace text" */
  'text-not-blank': ({ system, blocks }) =>
    withNested([...system, ...blocks.flat()])
      .filter(({ block }) => block.type === 'text' && String(block.text).trim() === '')
      .map(({ index }) => ({ index, detail: 'A text block is empty or has only whitespace.' })),

  /** "final assistant content cannot end with trailing whitespace" */
  'final-text-trimmed': ({ messages, blocks }) => {
    const index = messages.length - 1;
    const last = messages[index]?.role === 'assistant' ? blocks[index]?.at(-1)?.block : undefined;
    const text = last?.type === 'text' ? String(last.text) : '';
    return text === text.trimEnd()
      ? []
      : [{ index, detail: 'The final assistant message ends with whitespace.' }];
  },

  /** "thinking.signature: Field required" */
  'thinking-signed': ({ blocks }) =>
    blocks
      .flat()
      .filter(
        ({ block }) =>
          block.type === 'thinking' && (typeof block.signature !== 'string' || block.signature === ''),
      )
      .map(({ index }) => ({ index, detail: 'A thinking block has no signature.' })),

  /**
   * "a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks)",
   * if it thinks at all.
   */
  'thinking-first': ({ turns }) => {
    const blocks = turns.at(-1)?.blocks ?? [];
    const [first] = blocks;
    const callsTools = blocks.some(({ block }) => block.type === 'tool_use');
    if (first === undefined || !callsTools || !blocks.some(thinks) || thinks(first)) return [];
    return [{ index: first.index, detail: 'The assistant thinks only after it has said something.' }];
  },

  /** "The final block in an assistant message cannot be `thinking`." */
  'thinking-not-last': ({ turns }) =>
    turns.flatMap(({ blocks }) => {
      const last = blocks.at(-1);
      return last !== undefined && thinks(last)
        ? [{ index: last.index, detail: 'The message ends with thinking.' }]
        : [];
    }),

  /** "A maximum of 4 blocks with cache_control may be provided." Tools may hold some of them and are not seen here. */
  'cache-control-count': ({ system, blocks }) => {
    const marked = withNested([...system, ...blocks.flat()]).filter(({ block }) => isMarked(block));
    const fifth = marked[maxCacheBreakpoints];
    return fifth === undefined
      ? []
      : [{ index: fifth.index, detail: `${marked.length} blocks have cache_control.` }];
  },
};

function thinks({ block }: Located): boolean {
  return isThinking(block);
}

function isMarked(block: Fields): boolean {
  return block.cache_control !== undefined && block.cache_control !== null;
}
