import type { Steps } from '../base/slices.js';
import type { MessageTokens } from '../count/measurement.js';
import type { Message, MessageId } from '../transcript/message.js';
import type { Dropped, Origins } from './origins.js';

/** An entry of the view, with the messages of the transcript that it stands for. */
export interface ViewEntry extends MessageTokens {
  readonly id: MessageId;
  /** The message with edits applied. Edits number its parts by position. */
  readonly message: Message;
  /** The message as it is sent, possibly without its reasoning; undefined if nothing would be left. */
  readonly sent: Message | undefined;
  /** The newest edit that replaced something in it; undefined for an original or merged message. */
  readonly version?: string | undefined;
  readonly exchange: number;
  /** Its own message in the transcript, or the messages merged into it. */
  readonly origins: Origins;
}

/** A line in place of dropped messages. It is derived with the view and does not belong to the transcript. */
export interface Marker {
  readonly position: number;
  readonly message: Message;
  readonly tokens: number;
}

/** A message as it is sent. It has no id if it is not in the transcript or the view. */
export interface SentMessage {
  readonly id?: MessageId;
  readonly message: Message;
  readonly tokens: number;
}

export type CountMessage = (message: Message) => MessageTokens;

/** An entry with its message as it is sent. All have the same fields in the same order, so that reading them takes little time. */
export function entryWith(
  { id, exchange, origins }: Pick<ViewEntry, 'id' | 'exchange' | 'origins'>,
  message: Message,
  version: string | undefined,
  count: CountMessage,
): ViewEntry {
  return { id, message, sent: message, version, exchange, origins, ...count(message) };
}

export interface Presented {
  readonly entries: readonly ViewEntry[];
  readonly marker: Marker | undefined;
  /** Identifies everything that stands before the next message. Requests that begin alike have the same prefix. */
  readonly prefix: number;
}

/** Decides what is sent of a view's entries. This is no edit, so it never has to be undone. */
export interface Presenter {
  present(entries: readonly ViewEntry[], dropped: Dropped): Steps<Presented>;
  /** Adds one entry after this prefix. */
  next(entry: ViewEntry, prefix: number): { readonly entry: ViewEntry; readonly prefix: number };
}

export const asItIs: Presenter = {
  *present(entries) {
    yield;
    return { entries, marker: undefined, prefix: 0 };
  },
  next: (entry) => ({ entry, prefix: 0 }),
};

/** Tokens of the system messages that a view begins with. */
export function openingTokens({ entries }: { readonly entries: readonly ViewEntry[] }): number {
  let tokens = 0;
  for (const entry of entries) {
    if (!isSystem(entry)) break;
    tokens += entry.tokens;
  }
  return tokens;
}

export function isSystem(entry: Pick<ViewEntry, 'message'>): boolean {
  return entry.message.role === 'system';
}

/** True for a message that the user wrote, in contrast to a summary or an excerpt. */
export function isUsers({ message }: Pick<ViewEntry, 'message'>): boolean {
  return message.role === 'user' && message.summary !== true;
}
