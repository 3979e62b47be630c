import type { Message, MessageId } from '../transcript/message.js';
import type { Origins } from './origins.js';

/** A message of the view, with the messages of the transcript that it stands for. */
export interface ViewEntry {
  readonly id: MessageId;
  /** What edits have made of it; their part numbers are positions in it. */
  readonly message: Message;
  /** What is sent of it: the message itself, or without its reasoning; undefined where nothing would be left. */
  readonly sent: Message | undefined;
  /** Which edit replaced something in it last; undefined for a message that is as it was said, or merged. */
  readonly version?: string | undefined;
  readonly exchange: number;
  /** Its own message of the transcript, or those merged into it. */
  readonly origins: Origins;
  /** Of what is sent. */
  readonly tokens: number;
  readonly toolCalls: number;
  readonly estimated: boolean;
}

/** What edits took out of a view without putting anything in its place. */
export interface Dropped {
  /** Messages of the transcript. */
  readonly count: number;
  /** The lowest position in the transcript; undefined where nothing was dropped. */
  readonly first: number | undefined;
}

export const nothingDropped: Dropped = { count: 0, first: undefined };

/** A line that stands where messages were dropped. It is derived with the view and is no message of the transcript. */
export interface Marker {
  /** It stands before the entry at this position. */
  readonly position: number;
  readonly message: Message;
  readonly tokens: number;
}

/** A message as it is sent; one that is no message of the transcript has no id. */
export interface SentMessage {
  readonly id?: MessageId;
  readonly message: Message;
  readonly tokens: number;
}

export type CountMessage = (message: Message) => Pick<ViewEntry, 'tokens' | 'toolCalls' | 'estimated'>;

/** What is sent of a view's entries. */
export interface Presented {
  readonly entries: readonly ViewEntry[];
  readonly marker: Marker | undefined;
  /** The same where a request begins the same, and after it is extended at its end: what stands before the next message. */
  readonly prefix: number;
}

/** Says what of the entries of a view is sent; no edit does, so nothing has to be undone. */
export interface Presenter {
  present(entries: readonly ViewEntry[], dropped: Dropped): Presented;
  /** One more entry at the end of what has this prefix. */
  next(entry: ViewEntry, prefix: number): { readonly entry: ViewEntry; readonly prefix: number };
}

/** Sends every entry as it is. */
export const asItIs: Presenter = {
  present: (entries) => ({ entries, marker: undefined, prefix: 0 }),
  next: (entry) => ({ entry, prefix: 0 }),
};

export function isSystem(entry: Pick<ViewEntry, 'message'>): boolean {
  return entry.message.role === 'system';
}
