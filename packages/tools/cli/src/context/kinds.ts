import { type Message, type Part, partsOf } from '@ctx/core';

/** What fills a window, in the order in which it is shown. */
export const kindNames = [
  'system',
  'user',
  'assistant',
  'reasoning',
  'calls',
  'results',
  'summaries',
] as const;
export type Kind = (typeof kindNames)[number];

/** A part of a message, by what it is. */
export interface Piece {
  readonly kind: Kind;
  /** Of a result, what was called. */
  readonly tool?: string;
  /** A message with nothing but this part. */
  readonly message: Message;
}

/** The parts of a message, each as a message of its own that can be counted. */
export function piecesOf(message: Message): Piece[] {
  if (message.summary === true) return [{ kind: 'summaries', message }];
  return partsOf(message).map((part) => ({
    kind: kindOf(part, message),
    ...(part.type === 'tool-result' && { tool: part.toolName }),
    message: { role: message.role, content: [part] } as Message,
  }));
}

function kindOf(part: Part, { role }: Message): Kind {
  switch (part.type) {
    case 'tool-result':
      return 'results';
    case 'tool-call':
      return 'calls';
    case 'reasoning':
      return 'reasoning';
    default:
      return role === 'tool' ? 'results' : role;
  }
}
