import { isFields } from '@ctx/core/codec';
import type { Located, Rule } from './rule.js';

/** The id of a call that the provider runs itself, such as `server_tool_use` or `mcp_tool_use`. */
function serverCallId(block: unknown): string | undefined {
  if (!isFields(block) || typeof block.id !== 'string') return undefined;
  return block.type === 'server_tool_use' || block.type === 'mcp_tool_use' ? block.id : undefined;
}

/** The id of the call that a block such as `web_search_tool_result` or `mcp_tool_result` answers. */
function serverResultId(block: unknown): string | undefined {
  if (!isFields(block) || typeof block.tool_use_id !== 'string' || block.type === 'tool_result')
    return undefined;
  return /_tool_result$|^mcp_tool_result$/.test(String(block.type)) ? block.tool_use_id : undefined;
}

/**
 * True if a call of the server and its result are in different messages: code that calls a tool of the user's, or a turn that was paused.
 * Neither may then be removed without the other.
 */
export function isSplit(blocks: readonly unknown[]): boolean {
  const calls = new Set(blocks.map(serverCallId).filter((id) => id !== undefined));
  const results = new Set(blocks.map(serverResultId).filter((id) => id !== undefined));
  return calls.size !== results.size || [...calls].some((id) => !results.has(id));
}

/**
 * True for a block that brings tools into the conversation: those that a search found, of the server or of the client, and those that an MCP
 * server listed. Without it the model doesn't know them.
 */
export function bringsTools(block: unknown): boolean {
  if (!isFields(block)) return false;
  const { type, content } = block;
  if (type === 'tool_search_tool_result') return isFields(content) && content.tool_references !== undefined;
  const isReference = (item: unknown) => isFields(item) && item.type === 'tool_reference';
  return type === 'mcp_tool_listing' || (Array.isArray(content) && content.some(isReference));
}

/** What the Messages API demands of the tools that it runs itself. */
export const serverToolRules: Record<string, Rule> = {
  /** "Each `web_search_tool_result` block must have a corresponding `server_tool_use` block before it." */
  'server-result-has-call': ({ turns }) => {
    const called = new Set<string>();
    return turns
      .flatMap(({ blocks }) => blocks)
      .flatMap(({ index, block }) => {
        const call = serverCallId(block);
        if (call !== undefined) called.add(call);
        const id = serverResultId(block);
        return id === undefined || called.has(id)
          ? []
          : [{ index, detail: `The ${String(block.type)} of "${id}" comes after no call.` }];
      });
  },

  /** "`web_search` tool use with id … was found without a corresponding `web_search_tool_result` block"; the last turn may be paused. */
  'server-call-answered': ({ turns }) => {
    const blocks = turns.flatMap((turn) => turn.blocks);
    const answered = new Set(blocks.map(({ block }) => serverResultId(block)));
    const open = (one: Located) => {
      const id = serverCallId(one.block);
      return id !== undefined && !answered.has(id);
    };
    return turns
      .slice(0, -1)
      .flatMap((turn) => turn.blocks.filter(open))
      .map(({ index, block }) => ({
        index,
        detail: `The call "${String(block.id)}" of the server has no result.`,
      }));
  },
};
