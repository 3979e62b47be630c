import type { Message, ToolCallPart } from './message.js';

/** What an archived text is: what the user or the assistant said, a call's arguments, a result, or a summary of older messages. */
type ArchiveKind = 'user' | 'assistant' | 'call' | 'result' | 'summary' | 'system';

/** One part of a message, as text. `entriesOf` makes them. */
export interface ArchiveEntry {
  readonly conversation: string;
  /** The message's number in the conversation. The first of the transcript is 1, and its handle is `#m1`. */
  readonly message: number;
  /** The part's position in the message, from 0. */
  readonly part: number;
  /** The line of the message on which the part begins, from 1. */
  readonly line: number;
  readonly kind: ArchiveKind;
  /** Who said it, or what was called, in one line: `user`, `read_file src/app.ts`. No more than 200 characters are kept. */
  readonly heading: string;
  /** The file that it is about. A path of more than 4,000 characters counts as none. */
  readonly path?: string | undefined;
  readonly text: string;
  /** Ms since epoch. */
  readonly time: number;
}

/** A message of a conversation, as an archive gets it. */
export interface ArchivedMessage {
  /** Its number in the conversation. The first of the transcript is 1, and its handle is `#m1`. */
  readonly number: number;
  readonly message: Message;
  /** The calls that its results answer, so that a result stands under what was called. */
  readonly calls: readonly ToolCallPart[];
  /** Ms since epoch. */
  readonly time: number;
}

/** Lines of an archived message, word for word. */
export interface ArchivePassage extends Omit<ArchiveEntry, 'part' | 'line'> {
  /** Its handle: `#m41:120-180`. */
  readonly ref: string;
  /** Tokens of the handle, the heading and the text. */
  readonly tokens: number;
}

interface ArchiveGetOptions {
  /** The conversation that the handle belongs to. Another one's is never answered. */
  readonly conversation: string;
  /** Tokens of all that is returned. @default no limit */
  readonly maxTokens?: number | undefined;
  /** The messages of the conversation, by number, if the caller has them. They are read then, and nothing that is kept. */
  readonly said?: ((number: number) => ArchivedMessage | undefined) | undefined;
}

/** Which messages to forget. Without handles, the whole conversation. */
interface ArchiveForgetOptions {
  /** The handle of the first one. @default #m1 */
  readonly from?: string | undefined;
  /** The handle of the last one. @default the last of the conversation */
  readonly to?: string | undefined;
}

interface ArchiveSearchOptions {
  /** The conversation to search in. */
  readonly conversation: string;
  /** Tokens of all results together. @default 1000 */
  readonly maxTokens?: number | undefined;
  /** Only texts of these kinds. */
  readonly kind?: ArchiveKind | readonly ArchiveKind[] | undefined;
  /** Only texts about this file, or about files below this folder. The end of a path is enough. */
  readonly path?: string | undefined;
  /** Only texts at or after this time, in ms since epoch. */
  readonly since?: number | undefined;
  /** Only texts under this handle: `#m41` or `#m41:120-180`. */
  readonly within?: string | undefined;
  /** What the model sees: a passage all of whose lines stand in it is left out, and others have its room. Does not count if there is a `within`. */
  readonly shown?: readonly Message[] | undefined;
}

/** What a search in one conversation takes. */
export type FindOptions = Omit<ArchiveSearchOptions, 'conversation' | 'shown'>;

/** Finds and reads what was said in one conversation, by query or by handle. A manager with an archive is one. */
export interface PassageSource {
  /** Finds the passages outside the view that have most in common with a query, the best first. */
  find(query: string, options?: FindOptions): Promise<readonly ArchivePassage[]>;
  /** Returns what was said under a handle such as `#m41` or `#m41:120-180`, in the view or not, word for word. */
  read(
    ref: string,
    options?: { readonly maxTokens?: number | undefined },
  ): Promise<readonly ArchivePassage[]>;
}

/** Where the texts of a conversation are kept, and found again once they have left the view. */
export interface Archive {
  /**
   * Keeps entries: all of them or, if it throws, none. Putting an entry again changes nothing.
   * @throws CtxError `archive-entry-invalid`, `archive-conflict`, `archive-unavailable`, `archive-full` or `archive-corrupt`
   */
  put(entries: readonly ArchiveEntry[]): Promise<void>;
  /**
   * Keeps the texts of messages, as `put` does with their entries.
   * @throws CtxError as `put`
   */
  keep(conversation: string, messages: readonly ArchivedMessage[]): Promise<void>;
  /**
   * Returns what stands under a handle, part by part, from the first line on.
   * @throws CtxError `archive-ref-invalid`, `archive-ref-unknown`, `archive-unavailable` or `archive-corrupt`
   */
  get(ref: string, options: ArchiveGetOptions): Promise<readonly ArchivePassage[]>;
  /**
   * Finds the passages that have most in common with a query, the best first.
   * @throws CtxError `config-invalid`, `archive-ref-invalid`, `archive-unavailable` or `archive-corrupt`
   */
  search(query: string, options: ArchiveSearchOptions): Promise<readonly ArchivePassage[]>;
  /**
   * Forgets a conversation, or some of its messages, such as those from a handle on after a rewind.
   * @throws CtxError `archive-ref-invalid`, `archive-unavailable` or `archive-corrupt`
   */
  forget(conversation: string, options?: ArchiveForgetOptions): Promise<void>;
  /** Lets go of files and connections that the archive opened itself. */
  close(): Promise<void>;
}
