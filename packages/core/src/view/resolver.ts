import { type DependencyContainer, portToken } from '../base/di.js';
import type { Message } from '../transcript/message.js';
import type { Edit, ResolvedEdit } from './edit.js';

/** A message of the transcript with its place there, counted from 1. */
export interface NumberedMessage {
  readonly number: number;
  readonly message: Message;
}

export interface SummarizeRequest {
  /** What is to be summed up, as the model sees it now; an earlier summary may be among it. */
  readonly messages: readonly Message[];
  /** What was really said there: for an earlier summary the messages that it stands for. */
  readonly originals: readonly NumberedMessage[];
  readonly instructions?: string | undefined;
  /** The longest summary that is of use. */
  readonly maxTokens: number;
  /** What the target leaves for it: a summary that costs nothing to write may be this long. @default maxTokens */
  readonly roomTokens?: number | undefined;
  /** The model's window, in tokens. */
  readonly contextWindow: number;
  /** False where somebody asked for this compression by hand. */
  readonly automatic: boolean;
  tokensOf(text: string): number;
  /** The port `fold`, where one is registered. */
  readonly folder?: Folder | undefined;
  /** Puts something into the record's report of the stage, also where the summary fails then: what it has cost. Plain JSON. */
  note?(notes: Readonly<Record<string, unknown>>): void;
  readonly signal: AbortSignal;
}

/** Port: writes the summary of some messages. */
export interface Summarizer {
  /** Resolves to the summary, and to what the record keeps of how it came about. */
  summarize(
    request: SummarizeRequest,
  ): Promise<{ readonly text: string; readonly notes?: Readonly<Record<string, unknown>> }>;
}
export const summarizerToken = portToken<Summarizer>('summarize');

/** Port: the names that files define, as a text shorter than the files. */
export interface Folder {
  fold(request: {
    readonly text: string;
    readonly paths: readonly string[];
    readonly signal: AbortSignal;
  }): Promise<string>;
}
export const folderToken = portToken<Folder>('fold');

export interface ResolveContext {
  /** The messages an edit names, as they are in the view. */
  messagesOf(ids: readonly string[]): readonly Message[];
  /** The messages of the transcript behind those. */
  originalsOf(ids: readonly string[]): readonly NumberedMessage[];
  tokensOf(message: Message): number;
  tokensOfText(text: string): number;
  readonly contextWindow: number;
  readonly automatic: boolean;
  /** Puts something into the record's report of the stage. Plain JSON. */
  note(notes: Readonly<Record<string, unknown>>): void;
  readonly container: DependencyContainer;
  readonly signal: AbortSignal;
}

/** Turns one unresolved edit into resolved ones, by asking something outside. */
export interface EditResolver {
  resolve(edit: Edit, context: ResolveContext): Promise<readonly ResolvedEdit[]>;
}
