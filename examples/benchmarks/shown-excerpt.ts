import { fileURLToPath } from 'node:url';
import { messageText } from '@ctx/core';
import { createContextManager } from '@ctx/presets';
import { readSession } from '@ctx/sessions';

const name = 'did-you-mean.anthropic.jsonl';
const file = fileURLToPath(new URL(`../sessions/${name}`, import.meta.url));
/** Of the session's tokens: small enough that the excerpt can be printed whole. */
const share = 0.125;

/** An excerpt as a model gets it, in Markdown: of a session that is part of this repository, with the default settings. */
export async function shownExcerpt(): Promise<string> {
  const { messages, provider, model } = await readSession(file);
  const manager = createContextManager({ provider, model, config: { throttleMs: 0 } });
  for (const message of messages) manager.append(message);
  const { currentTokens } = manager.stats();
  const { record } = await manager.compress({ targetTokens: Math.floor(currentTokens * share) });
  const excerpts = manager.view().filter(({ summary }) => summary === true);
  const figure = (value = 0) => value.toLocaleString('en-US');
  const told = `\`${name}\`, from ${figure(record?.tokensBefore)} to ${figure(record?.tokensAfter)} tokens; ${figure(record?.messagesBefore)} messages became ${figure(record?.messagesAfter)}. This stands in place of those that left:`;
  // Longer than any fence that a session quotes.
  const fence = '``````';
  return [told, ...excerpts.map((one) => `${fence}text\n${messageText(one)}\n${fence}`)].join('\n\n');
}
