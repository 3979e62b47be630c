import type { Row } from '@ctx/claude-code';

// Rows as Claude Code gives them: one for each block, each with its handle.
let made = 0;
const handle = () => {
  made += 1;
  return `h${made}`;
};

export const user = (text: string): Row => ({ role: 'user', text, toolUses: [], handle: handle() });
export const says = (text: string): Row => ({ role: 'assistant', text, toolUses: [], handle: handle() });
/** A thought shows no text. */
export const thinks = (): Row => says('');
export const calls = (id: string, tool = 'Read', input = {}): Row => {
  return { role: 'assistant', text: '', toolUses: [{ tool_use_id: id, tool, input }], handle: handle() };
};
export const answers = (id: string, text: string, isError = false): Row => ({
  role: 'user',
  text: '',
  toolUses: [],
  toolResults: [{ tool_use_id: id, text, isError }],
  handle: handle(),
});

/** The ids of calls and of answers, in order. */
export const pairsIn = (rows: readonly Row[]) => ({
  calls: rows.flatMap(({ toolUses }) => toolUses.map((use) => use.tool_use_id)),
  answers: rows.flatMap(({ toolResults = [] }) => toolResults.map((one) => one.tool_use_id)),
});
