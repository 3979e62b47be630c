import { compact } from '../plugin/hooks/ctx.js';
import type { Row } from '../src/rows.js';

interface TextOptions {
  readonly targetTokens: number;
  /** What weighs more. */
  readonly focus?: string | undefined;
  /** Whether the text names handles under which `recall` finds what is shortened. */
  readonly handles: boolean;
}

/** Says that the model has read the results before it: else they would stay whole. What it said is in what the host keeps. */
const read = { role: 'assistant', text: '[read]', toolUses: [] } as const;

/** Compacts rows to one text, for hosts that take a text in the place of what is older. Tokens are estimated. */
export async function compactToText(rows: readonly Row[], options: TextOptions): Promise<string> {
  const told = rows.at(-1)?.toolResults === undefined ? rows : [...rows, read];
  const made = await compact(told, {
    ...options,
    sent: told,
    usage: { threshold: 2 * options.targetTokens, tokens: 0 },
    now: Date.now(),
    pause: () => new Promise((resolve) => setImmediate(resolve)),
  });
  /** Names of tools by the ids of their calls. */
  const names = new Map<string, string>();
  const sections = ((made.rows ?? rows) as readonly Row[])
    .filter(({ text }) => text !== read.text)
    .flatMap(({ role, text, toolUses, toolResults = [] }) => [
      ...(text === '' ? [] : [/^\[(?:Excerpt of|Done so far)/.test(text) ? text : `## ${role}\n${text}`]),
      ...toolUses.map(({ tool_use_id, tool, input }) => {
        names.set(tool_use_id, tool);
        return `## call of ${tool}\n${JSON.stringify(input)}`;
      }),
      ...toolResults.map((one) => `## result of ${names.get(one.tool_use_id) ?? 'a tool'}\n${one.text}`),
    ]);
  return sections.join('\n');
}
