import { bpeCounter, type Message, type Part, type TokenCounter } from '@ctx/core';

/** The counter `faulty` throws or returns something other than a number for some texts. */
const counterNames = ['words', 'letters', 'bytes', 'faulty', 'real'] as const;
export type CounterName = (typeof counterNames)[number];

const real = bpeCounter();

export const counters: Readonly<Record<CounterName, TokenCounter>> = {
  words: { count: (text) => text.split(/\s+/).filter((word) => word !== '').length },
  letters: { count: (text) => Math.ceil(text.length / 4) },
  bytes: { count: (text) => Math.ceil(Buffer.byteLength(text) / 3) },
  faulty: {
    count: (text) => {
      if (text.length % 13 === 0) throw new Error('the counter failed');
      return text.length % 11 === 0 ? Number.NaN : Math.ceil(text.length / 4);
    },
  },
  real,
};

/** Loads the real tokenizer in advance, so that no history waits for it. */
export async function loadCounters(): Promise<void> {
  await real.load?.();
}

/** Counts the tokens of a message independently of core, by what the documents say about each kind of part. */
export function tokensOf(message: Message, counter: TokenCounter, overhead: number): number {
  const parts: readonly Part[] =
    typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
  return parts.reduce((sum, part) => sum + partTokens(part, counter), overhead);
}

function partTokens(part: Part, counter: TokenCounter): number {
  const count = (text: string) => (text === '' ? 0 : counter.count(text));
  switch (part.type) {
    case 'text':
      return count(part.text);
    case 'reasoning':
      return count(part.text) + Math.ceil(((part.encrypted?.length ?? 0) * 0.75) / 4);
    case 'image':
      return Math.ceil(Math.sqrt(part.image.length));
    case 'file':
      return Math.max(300, Math.ceil((part.data.length * 0.75) / 50));
    case 'opaque':
      return Object.entries(part.value as Record<string, string>).reduce(
        (sum, [key, value]) => sum + count(key) + count(value),
        0,
      );
    case 'tool-call':
      return count(part.toolName) + count(argumentsText(part.input));
    case 'tool-result':
      return count(part.toolName) + outputTokens(part.output, count, counter);
    default:
      return part satisfies never;
  }
}

function argumentsText(input: unknown): string {
  return Object.entries(input as Record<string, unknown>)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : plain(value)}`)
    .join('\n');
}

function plain(value: unknown): string {
  if (Array.isArray(value)) return value.map(plain).join('\n');
  if (typeof value === 'object' && value !== null) return argumentsText(value);
  return String(value);
}

function outputTokens(
  output: Extract<Part, { type: 'tool-result' }>['output'],
  count: (text: string) => number,
  counter: TokenCounter,
): number {
  if (typeof output === 'string') return count(output);
  if (output.type === 'text' || output.type === 'error-text') return count(output.value);
  if (output.type === 'json' || output.type === 'error-json')
    return count(JSON.stringify(output.value) ?? '');
  const texts = output.value.filter((part) => part.type === 'text').map(({ text }) => text);
  const rest = output.value.filter((part) => part.type !== 'text');
  return rest.reduce((sum, part) => sum + partTokens(part, counter), count(texts.join('\n')));
}
