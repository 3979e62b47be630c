import type { Message } from '@ctx/core';

/** What somebody said. */
export interface Turn {
  /** Unique within the chat: `D1:3`, `12`. */
  readonly id: string;
  readonly speaker: string;
  readonly text: string;
  /** What is before it without being said: the date of a session, a picture that was shared. */
  readonly note?: string;
}

/** A question about a chat, which is not known when the chat is compressed. */
export interface ChatQuestion {
  readonly question: string;
  readonly answer: string;
  /** Ids of the turns in which the answer was said. */
  readonly evidence: readonly string[];
}

/** A conversation of people, with questions about it. */
export interface Chat {
  readonly id: string;
  /** The collection that it comes from. */
  readonly source: string;
  readonly turns: readonly Turn[];
  readonly questions: readonly ChatQuestion[];
}

/**
 * How a chat becomes messages. `lines`: each turn is a message of the user, `Name: text`, as one gives a meeting to a model. `roles`: the
 * first speaker is the user and the other one the assistant, without names.
 */
export type ChatForm = 'lines' | 'roles';

/** The forms that suit a chat: `roles` only if two people speak. */
export function formsOf({ turns }: Chat): ChatForm[] {
  return new Set(turns.map(({ speaker }) => speaker)).size === 2 ? ['roles', 'lines'] : ['lines'];
}

export function chatMessages({ turns }: Chat, form: ChatForm): Message[] {
  const user = turns[0]?.speaker;
  return turns.map(({ speaker, text, note }): Message => {
    const role = form === 'lines' || speaker === user ? 'user' : 'assistant';
    const said = form === 'lines' ? `${speaker}: ${text}` : text;
    return { role, content: note === undefined ? said : `[${note}]\n${said}` };
  });
}
