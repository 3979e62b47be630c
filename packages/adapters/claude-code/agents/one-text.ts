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

/** A text may have this many times the tokens that were asked for; more would not help the host. */
const tolerance = 1.5;

/**
 * Compacts rows to one text, for hosts that take a text in the place of what is older. Tokens are estimated.
 * @throws if a part of ctx fails, or the text would be much larger than what was asked for
 */
export async function compactToText(rows: readonly Row[], options: TextOptions): Promise<string> {
  const told = rows.at(-1)?.toolResults === undefined ? rows : [...rows, read];
  const { targetTokens } = options;
  // The task stays whole if it fits.
  for (const mostTokens of [undefined, targetTokens]) {
    const { rows: made, report } = await compact(told, {
      ...options,
      sent: told,
      usage: { threshold: 2 * targetTokens, tokens: 0 },
      mostTokens,
      now: Date.now(),
      pause: () => new Promise((resolve) => setImmediate(resolve)),
    });
    if (report.failed !== undefined) throw new Error(report.failed);
    const tokens = made === undefined ? report.tokensBefore : report.tokensAfter;
    if (tokens > tolerance * targetTokens) continue;
    const text = textOf((made ?? told) as readonly Row[]);
    return options.handles ? text : text.replaceAll(/^(## .*) #m\d+$/gm, '$1');
  }
  throw new Error('too little would be saved');
}

function textOf(rows: readonly Row[]): string {
  /** Names of tools by the ids of their calls. */
  const names = new Map<string, string>();
  const sections = rows
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
