import { compact } from './compact.js';
import type { Row } from './rows.js';

export interface TextOptions {
  readonly targetTokens: number;
  /** What weighs more. */
  readonly focus?: string | undefined;
  /** Whether the text names handles under which `recall` finds what is shortened. */
  readonly handles?: boolean | undefined;
  /** Ms since epoch. */
  readonly now: number;
}

/** Compacts rows to one text, for hosts that take a text in the place of what is older. Tokens are estimated. */
export async function compactToText(rows: readonly Row[], { targetTokens, ...options }: TextOptions) {
  const usage = { threshold: 2 * targetTokens, tokens: 0 };
  const { rows: fewer = rows, report } = await compact(rows, { ...options, usage });
  /** Names of tools by the ids of their calls. */
  const names = new Map<string, string>();
  const sections = fewer.flatMap(({ role, text, toolUses, toolResults = [] }) => [
    ...(text === '' ? [] : [text.startsWith('[') && role === 'user' ? text : `## ${role}\n${text}`]),
    ...toolUses.map(({ tool_use_id, tool, input }) => {
      names.set(tool_use_id, tool);
      return `## call of ${tool}\n${JSON.stringify(input)}`;
    }),
    ...toolResults.map((one) => `## result of ${names.get(one.tool_use_id) ?? 'a tool'}\n${one.text}`),
  ]);
  return { text: sections.join('\n'), tokensBefore: report.tokensBefore };
}
