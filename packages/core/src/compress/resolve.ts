import { type Deadline, throwIfAborted } from '../base/deadline.js';
import { type DependencyContainer, portToken } from '../base/di.js';
import { CtxError, preview } from '../base/errors.js';
import { isFields } from '../base/native.js';
import { pluginsOf } from '../config/container.js';
import { partsOf, partText } from '../transcript/message.js';
import type { Edit, FoldEdit, SummarizeEdit } from '../view/edit.js';
import { mergedMessage } from '../view/edited-message.js';
import { withHandles } from '../view/handle.js';
import {
  type EditResolver,
  type Folder,
  folderToken,
  type ResolveContext,
  type Summarizer,
} from '../view/resolver.js';

/** Errors that the next edit of the same type would meet too. */
const repeating: readonly string[] = ['model-failed', 'port-missing', 'package-missing'];

/**
 * Resolves the open edits of a plan, within the time of the stage. A failure costs only its own edit, unless the port
 * says that it would fail again: then the others of the type stay unresolved, and nothing more is paid for them.
 * @param caller whose abort ends everything
 */
export async function resolveEdits(
  open: readonly Edit[],
  edits: readonly Edit[],
  context: Omit<ResolveContext, 'signal'>,
  deadline: Deadline,
  caller: AbortSignal | undefined,
) {
  const resolved: Edit[] = [];
  /** Edits that could not be resolved, with the errors. The others still apply. */
  const failures: { edit: Edit; error: unknown }[] = [];
  /** Edits that were not tried, because one of their type had failed in a way that repeats. */
  const skipped: Edit[] = [];
  const failing = new Set<string>();
  const { resolvers } = pluginsOf(context.container);
  const resolverOf = ({ type }: Edit) =>
    resolvers.get(type) ?? (Object.hasOwn(builtIn, type) ? builtIn[type] : undefined);
  for (const edit of edits) {
    const resolver = open.includes(edit) ? resolverOf(edit) : undefined;
    if (resolver === undefined) {
      resolved.push(edit);
      continue;
    }
    if (failing.has(edit.type)) {
      skipped.push(edit);
      continue;
    }
    try {
      const made: unknown = await deadline.run((signal) => resolver.resolve(edit, { ...context, signal }));
      if (!Array.isArray(made) || !made.every(isFields))
        throw wrongAnswer(edit.type, `The resolver of "${edit.type}" did not return a list of edits`, made);
      resolved.push(...(made as Edit[]));
    } catch (error) {
      throwIfAborted(caller);
      failures.push({ edit, error });
      if (CtxError.isInstance(error) && repeating.includes(error.code)) failing.add(edit.type);
    }
  }
  return { edits: resolved, failures, skipped };
}

/** A summary must be smaller than what it replaces by at least this share. */
const minReduction = 0.2;

const builtIn: Record<string, EditResolver> = {
  summarize: {
    async resolve(edit, context) {
      const { messages, maxTokens, instructions, placement = 'last', reason } = edit as SummarizeEdit;
      const { tokensOf, container, contextWindow, automatic, signal } = context;
      const { about = messages } = edit as SummarizeEdit;
      const source = context.messagesOf(about);
      const originals = context.originalsOf(about);
      const before = context.messagesOf(messages).reduce((sum, message) => sum + tokensOf(message), 0);
      const most = before * (1 - minReduction);
      const asUsed = (text: string) => (context.handles ? withHandles(text, originals) : text);
      const overhead = tokensOf(mergedMessage(''));
      // In slices, because a model may answer with megabytes.
      const tokensIn = (text: string) => context.inSlices(context.tokensInSteps(asUsed(text)), signal);
      const written = await portOf<Summarizer>(container, 'summarize').summarize({
        messages: source,
        originals,
        instructions,
        maxTokens,
        contextWindow,
        automatic,
        tokensOf: context.tokensOfText,
        folder: container.isRegistered(folderToken, true) ? container.resolve(folderToken) : undefined,
        note: (some) => context.note(some),
        signal,
      });
      if (typeof written?.text !== 'string')
        throw wrongAnswer('summarize', 'The summarizer did not return { text }', written);
      if (written.notes !== undefined) context.note(written.notes);
      const after = overhead + (await tokensIn(written.text));
      if (written.text.trim() === '' || after > most)
        throw new CtxError({
          code: 'summary-useless',
          problem: `The summary has ${after} tokens instead of ${before} and must be at least a fifth shorter`,
          remedy: 'It was not used; the next stage runs instead.',
        });
      return [{ type: 'merge', messages, text: asUsed(written.text), placement, reason }];
    },
  },
  fold: {
    async resolve(edit, { messagesOf, container, signal }) {
      const { message, part, paths, reason } = edit as FoldEdit;
      const source = messagesOf([message]).map((one) => partText(partsOf(one)[part]))[0] ?? '';
      const text = await portOf<Folder>(container, 'fold').fold({ text: source, paths, signal });
      if (typeof text !== 'string') throw wrongAnswer('fold', 'The folder did not return a text', text);
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

function wrongAnswer(place: string, problem: string, value: unknown): CtxError {
  const remedy = 'It was not used; the other edits of the plan apply.';
  return new CtxError({ code: 'plan-invalid', problem, place, value: preview(value), remedy });
}
