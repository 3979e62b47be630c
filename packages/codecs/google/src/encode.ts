import type { Message } from '@ctx/core';
import type { GoogleContent, GoogleConversation } from './content.js';
import { google, nativesIn } from './google-form.js';
import { turnsOf } from './model-turns.js';
import { systemOf } from './system.js';

/**
 * A native conversation: the very same objects if nothing was edited, otherwise copies in which only the edited parts are replaced.
 * System messages become the system instruction, wherever they are. What a message becomes does not depend on what follows it, so a
 * conversation that has grown begins with the parts that were sent before.
 */
export function fromMessages(messages: readonly Message[]): GoogleConversation {
  const system = systemInstruction(messages.filter(({ role }) => role === 'system'));
  const pieces = google.drafts(messages.filter(({ role }) => role !== 'system')).flatMap((draft) => {
    const content = google.nativeOf(draft) as GoogleContent | undefined;
    const { continues = false, natives: before = [] } = draft.before ?? {};
    return content === undefined ? [] : [{ content, continues, isOwn: draft.isSame, before }];
  });
  return { ...(system !== undefined && { systemInstruction: system }), contents: turnsOf(pieces) };
}

function systemInstruction(messages: readonly Message[]): GoogleConversation['systemInstruction'] {
  const drafts = google.drafts(messages);
  const [first, ...others] = drafts;
  if (first === undefined) return undefined;
  return others.length === 0 ? google.nativeOf(first) : systemOf(drafts.flatMap(nativesIn));
}
