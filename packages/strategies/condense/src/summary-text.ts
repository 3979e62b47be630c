import { type Message, messageText } from '@ctx/core';
import { intro, workIntro } from '@ctx/excerpt';

/** The first line of a summary. An earlier one is known by it. */
export const heading = '## Conversation Summary';

/** Whether a message is a summary that `condense` has written, with or without an excerpt behind it. */
export function hasSummary(message: Message): boolean {
  return message.summary === true && messageText(message).startsWith(`${heading}\n`);
}

/** A summary without the excerpt behind it. */
export function summaryIn(text: string): string {
  return text.slice(0, excerptStart(text)).trimEnd();
}

/** The excerpt behind a summary; one that says nothing if there is none. */
export function excerptBehind(text: string): string {
  return text.slice(excerptStart(text)).trimStart() || intro;
}

function excerptStart(text: string): number {
  const starts = [intro, workIntro].map((first) => text.indexOf(`\n\n${first}`)).filter((at) => at >= 0);
  return starts.length === 0 ? text.length : Math.min(...starts);
}
