import type { Deadline } from './deadline.js';
import type { DependencyContainer } from './di.js';
import type { Edit, FoldEdit, ResolvedEdit, SummarizeEdit } from './edit.js';
import { isResolved } from './edit.js';
import { mergedMessage } from './edited-message.js';
import { CtxError } from './errors.js';
import { type Message, partsOf, partText } from './message.js';
import { portToken, resolverFor } from './registry.js';

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

export interface Resolution {
  readonly edits: readonly Edit[];
  /** What could not be resolved, and why. The rest still applies. */
  readonly failures: readonly { readonly edit: Edit; readonly error: unknown }[];
}

/** Resolves every unresolved edit of a plan, within the stage's time; a failure costs only its own edit. */
export async function resolveEdits(
  edits: readonly Edit[],
  context: Omit<ResolveContext, 'signal'>,
  { deadline, signal: caller }: { readonly deadline: Deadline; readonly signal?: AbortSignal | undefined },
): Promise<Resolution> {
  const resolved: Edit[] = [];
  const failures: { edit: Edit; error: unknown }[] = [];
  for (const edit of edits) {
    const resolver = isResolved(edit) ? undefined : resolverOf(edit, context.container);
    if (resolver === undefined) {
      resolved.push(edit);
      continue;
    }
    try {
      resolved.push(...(await deadline.run((signal) => resolver.resolve(edit, { ...context, signal }))));
    } catch (error) {
      if (caller?.aborted) throw error;
      failures.push({ edit, error });
    }
  }
  return { edits: resolved, failures };
}

function resolverOf(edit: Edit, container: DependencyContainer): EditResolver | undefined {
  return (
    resolverFor(container, edit.type) ?? (Object.hasOwn(builtIn, edit.type) ? builtIn[edit.type] : undefined)
  );
}

/** Least share by which a summary must be smaller than what it stands for (requirement of seed 003). */
const minReduction = 0.2;

const builtIn: Record<string, EditResolver> = {
  summarize: {
    async resolve(edit, context) {
      const { messages, instructions, placement = 'last', reason } = edit as SummarizeEdit;
      const { maxTokens, roomTokens } = edit as SummarizeEdit;
      const { tokensOf, container, contextWindow, automatic, signal } = context;
      const source = context.messagesOf(messages);
      const { text, notes } = await portOf<Summarizer>(container, 'summarize').summarize({
        messages: source,
        originals: context.originalsOf(messages),
        instructions,
        maxTokens,
        roomTokens,
        contextWindow,
        automatic,
        tokensOf: context.tokensOfText,
        folder: container.isRegistered(folderToken, true) ? container.resolve(folderToken) : undefined,
        note: (some) => context.note(some),
        signal,
      });
      if (notes !== undefined) context.note(notes);
      const before = source.reduce((sum, message) => sum + tokensOf(message), 0);
      const after = tokensOf(mergedMessage(text));
      if (text.trim() === '' || after > before * (1 - minReduction)) throw uselessSummary(before, after);
      return [{ type: 'merge', messages, text, placement, reason }];
    },
  },
  fold: {
    async resolve(edit, { messagesOf, container, signal }) {
      const { message, part, paths, reason } = edit as FoldEdit;
      const source = messagesOf([message]).map((one) => partText(partsOf(one)[part]))[0] ?? '';
      const text = await portOf<Folder>(container, 'fold').fold({ text: source, paths, signal });
      return [{ type: 'replace', message, part, text, reason }];
    },
  },
};

function portOf<Port>(container: DependencyContainer, name: string): Port {
  const token = portToken<Port>(name);
  if (container.isRegistered(token, true)) return container.resolve(token);
  throw new CtxError({
    code: 'port-missing',
    problem: `Nothing is registered for the port "${name}"`,
    place: name,
    remedy: `Register it: container.register(portToken('${name}'), { useValue: … }).`,
  });
}

function uselessSummary(before: number, after: number): CtxError {
  return new CtxError({
    code: 'summary-useless',
    problem: `The summary has ${after} tokens in place of ${before}, and must be at least a fifth shorter`,
    remedy: 'It was not used; the next stage runs instead.',
  });
}
