import { type DependencyContainer, portToken } from '../base/di.js';
import type { Steps } from '../base/slices.js';
import type { Message } from '../transcript/message.js';
import type { Edit, ResolvedEdit } from './edit.js';

interface ChatRequest {
  readonly system: string;
  readonly user: string;
  /** The longest useful answer. */
  readonly maxTokens: number;
  readonly signal: AbortSignal;
}

interface Completion {
  readonly text: string;
  /** `length`: the answer was cut off. `refusal`: the provider or the model withheld it. */
  readonly stopReason: 'stop' | 'length' | 'refusal' | 'other';
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
  /** In the currency of the configured prices. */
  readonly cost?: number | undefined;
}

/** A language model, for those who need more than a function `(prompt) => text`. */
export interface ChatModel {
  readonly name: string;
  /**
   * In tokens. Of a longer history, each message is sent shortened.
   * @default that of the conversation's model
   */
  readonly contextWindow?: number | undefined;
  /** @throws the signal's reason when it aborts; the stage's report has the message of any other error */
  complete(request: ChatRequest): Promise<Completion>;
}

/** A message of the transcript with its position there, counted from 1. */
interface NumberedMessage {
  readonly number: number;
  readonly message: Message;
}

export interface SummarizeRequest {
  /** The messages to summarise, as the model sees them now. An earlier summary may be among them. */
  readonly messages: readonly Message[];
  /** The original messages. An earlier summary is replaced by the messages it stands for. */
  readonly originals: readonly NumberedMessage[];
  readonly instructions?: string | undefined;
  /** The most tokens that a model should write. */
  readonly maxTokens: number;
  /** The model's window, in tokens. */
  readonly contextWindow: number;
  /** False if someone asked for this compression by hand. */
  readonly automatic: boolean;
  tokensOf(text: string): number;
  /** The `fold` port, if one is registered. */
  readonly folder?: Folder | undefined;
  /**
   * Adds plain JSON to the record's report of the stage, such as costs. It is kept even if the summary then fails. `calls` is how often a
   * model was asked: checks stop asking for a while when that frees next to nothing several times in a row.
   */
  note?(notes: Readonly<Record<string, unknown>>): void;
  readonly signal: AbortSignal;
}

/** Port: writes a summary of some messages. */
export interface Summarizer {
  /** False if it would write nothing in a window of so many tokens: then it is not asked. @default always */
  asks?(contextWindow: number): boolean;
  /**
   * Resolves to the summary, and to notes for the record on how it was made. An error with the code `model-failed` says that the next
   * call would fail too; then the other summaries of the same plan are not asked for.
   */
  summarize(
    request: SummarizeRequest,
  ): Promise<{ readonly text: string; readonly notes?: Readonly<Record<string, unknown>> }>;
}
export const summarizerToken = portToken<Summarizer>('summarize');

/** Port: lists the names that files define, in a text shorter than the files. */
export interface Folder {
  fold(request: {
    readonly text: string;
    readonly paths: readonly string[];
    readonly signal: AbortSignal;
  }): Promise<string>;
}
export const folderToken = portToken<Folder>('fold');

export interface ResolveContext extends Pick<SummarizeRequest, 'contextWindow' | 'automatic' | 'signal'> {
  /** The messages that an edit names, as they are in the view. */
  messagesOf(ids: readonly string[]): readonly Message[];
  /** The messages of the transcript that those stand for. */
  originalsOf(ids: readonly string[]): readonly NumberedMessage[];
  inSlices<Result>(steps: Steps<Result>, signal: AbortSignal): Promise<Result>;
  tokensOf(message: Message): number;
  tokensOfText(text: string): number;
  /** The same in steps, for a text of any length. */
  tokensInSteps(text: string): Steps<number>;
  /** True: what leaves the view can be read under a handle, and a summary names it. */
  readonly handles?: boolean | undefined;
  /** Adds plain JSON to the record's report of the stage. */
  note(notes: Readonly<Record<string, unknown>>): void;
  readonly container: DependencyContainer;
}

/** Turns one unresolved edit into resolved ones with the help of something outside core. */
export interface EditResolver {
  resolve(edit: Edit, context: ResolveContext): Promise<readonly ResolvedEdit[]>;
}
