import { type Fields, isFields } from '@ctx/core/codec';
import type { Warning } from './warnings.js';

/** Why a request that is part of a message thread can't be managed; `undefined` if it is none. Fields have the names of the APIs of Anthropic and OpenAI. */
export const threadObstacle = ({ thread }: Fields): Warning | undefined =>
  thread === undefined || thread === null ? undefined : threadWarning;

const threadWarning: Warning = {
  code: 'message-thread',
  message:
    "The provider stores this conversation as a message thread, and only what is new is sent, so its requests pass unchanged. To have it managed, give `contextFetch` the option `threads: 'replay'`, or send the whole history without `thread`: `client.beta.messages.toolRunner({ thread: false, … })`",
};

/** The warning about a conversation of which the provider has a part that is not sent. */
export const storedWarning: Warning = {
  code: 'conversation-stored',
  message:
    'A part of the conversation is stored by the provider, so the request passes unchanged. To have it managed, send the whole input with `store: false`',
};

/** The warning about a conversation that the provider compacts. */
export const compactsWarning: Warning = {
  code: 'provider-compacts',
  message:
    'The provider compacts this conversation by itself (`context_management`), so its requests pass unchanged. To have it managed, leave that field out',
};

/** Whether the provider is to compact the conversation: at once, or from a threshold on (an edit of Anthropic, an entry of OpenAI). */
export function ownCompaction(body: Fields): 'at-once' | 'threshold' | undefined {
  if (isFields(body.compaction)) return 'at-once';
  const { context_management: management } = body;
  const entries = isFields(management) ? management.edits : management;
  const isOne = (one: unknown) => isFields(one) && /^compact/.test(String(one.type));
  return Array.isArray(entries) && entries.some(isOne) ? 'threshold' : undefined;
}
