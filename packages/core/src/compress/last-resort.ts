import { decodedText } from '../base/json.js';
import type { Steps } from '../base/slices.js';
import { type CutJsonOptions, cutJsonInSteps } from '../kit/cut-json.js';
import { type CutOptions, cutTextInSteps, extentOf, type Gone, pluralise } from '../kit/cut-text.js';
import { mediaName } from '../kit/media-name.js';
import { itemsOf, type Part, partsOf, partText } from '../transcript/message.js';
import { isExpendable } from '../transcript/persons-words.js';
import type { DropEdit, Edit, ReplaceEdit } from '../view/edit.js';
import { compareByPriority, dropsInOrder, type Exchange, exchangesOf } from '../view/exchange.js';
import {
  defineStrategy,
  type Plan,
  type PlanContext,
  type SimulatedSize,
  type ViewMessage,
} from '../view/strategy.js';

/** The share of the window that it fills at most, so that the next message does not need it again. */
const share = 0.95;
/** A part larger than this share of the window is cut before anything is dropped for it. */
const giantShare = 0.3;
/** Parts are not cut below this many tokens. */
const leastTokens = 32;
/** What the model has not read is not cut below this many tokens before the user's words are cut. */
const leastResult = 400;
/** How often sizes are chosen again, because a cut text may come out shorter or longer than planned. */
const maxAttempts = 8;
const reason = 'larger than the window';

/**
 * Runs if the configured stages leave a view that is larger than the window. It needs no model. First it cuts giant
 * parts to a share of the window. Then it drops exchanges: those with giant content that can't be cut, then the least
 * important, oldest first, and last of all short summaries, which say what was done. Only then it cuts, by as little as it takes, what
 * a program wrote among the user's words, then the largest of what the model has not read, the tools' before the user's and before the rules of a project, and last the task and the newest message. It never drops or
 * cuts a pinned message.
 */
export const lastResort = defineStrategy({
  name: 'last-resort',
  emits: ['drop', 'replace'],
  plan: (context) => context.inSlices(planOf(context)),
});

function* planOf(context: PlanContext): Steps<Plan> {
  const { currentTokens, maxTokens, minMessagesToKeep } = context;
  if (currentTokens <= maxTokens) return { edits: [] };
  const cuts = new Cuts(context);
  const free = context.view.filter(({ pinned }) => !pinned);
  const staying = context.view.filter(({ pinned, verbatim }) => pinned && !verbatim);
  const aim = Math.floor(maxTokens * share);
  yield* cuts.shorten(free, aim, Math.max(leastTokens, Math.floor(maxTokens * giantShare)));
  yield* cuts.drop(aim, minMessagesToKeep);
  yield* cuts.shorten(free, aim, leastTokens);
  yield* cuts.drop(maxTokens, 1);
  yield* cuts.shorten(staying, maxTokens, 1, { isCut: isExpendableOf });
  const results = staying.filter(({ message }) => message.role !== 'user');
  yield* cuts.shorten(results, maxTokens, leastResult, { marker: unread });
  const brought = staying.filter(({ protectedBy }) => protectedBy === 'unread-stays');
  yield* cuts.shorten(brought, maxTokens, leastResult, { marker: unread });
  yield* cuts.shorten(staying, maxTokens, leastTokens, { marker: unread });
  yield* cuts.shorten([...free, ...staying], maxTokens, 1);
  return { edits: cuts.edits };
}

/** What stands for the part of a text that the model has not read, and how to read it. */
const unread = (gone: Gone) =>
  `[… ${extentOf(gone)} (${pluralise(gone.tokens, 'token')}) left out, because they do not fit into the window: read them in parts …]`;

/** A part that may be cut. Cuts always start from the part as it is in the view. */
interface Cuttable {
  readonly key: string;
  readonly message: string;
  readonly index: number;
  readonly part: Part;
  readonly tokens: number;
}

interface Cutting {
  readonly marker?: CutOptions['marker'];
  isCut?(part: Cuttable): boolean;
}

/** What an agent lists for its model among the words of its user is the first to leave. */
const isExpendableOf = ({ part }: Cuttable) => part.type === 'text' && isExpendable(part.text);

class Cuts {
  #drops: readonly DropEdit[] = [];
  readonly #replaced = new Map<string, ReplaceEdit & { readonly freed: number }>();
  readonly #freed = new Map<string, number>();

  constructor(readonly context: PlanContext) {}

  get edits(): Edit[] {
    const gone = new Set(this.#drops.flatMap(({ messages }) => messages));
    const replaced = [...this.#replaced.values()].filter(({ message }) => !gone.has(message));
    return [...this.#drops, ...replaced.map(({ freed: _, ...edit }) => edit)];
  }

  #size(): Steps<SimulatedSize> {
    return this.context.simulateInSteps(this.edits);
  }

  /**
   * Drops exchanges, counted with their planned cuts, until the target is met and more has left than the line that stands
   * for it takes. Plans nothing new if the target is met already, or if that line takes all that dropping frees.
   */
  *drop(targetTokens: number, minMessagesToKeep: number): Steps<void> {
    const planned = this.#drops;
    const before = yield* this.#size();
    if (before.tokens <= targetTokens) return;
    this.#drops = [];
    const view = this.context.view.map((message) => ({
      ...message,
      tokens: message.tokens - (this.#freed.get(message.id) ?? 0),
    }));
    const task = view.find(({ message }) => message.role === 'user');
    const holdsTask = ({ messages }: Exchange) => Number(task !== undefined && messages.includes(task));
    const judged: { exchange: Exchange; isBlock: number }[] = [];
    for (const exchange of exchangesOf(view)) {
      judged.push({ exchange, isBlock: Number(yield* this.#isBlock(exchange)) });
    }
    const ordered = judged
      .toSorted(
        (a, b) =>
          b.isBlock - a.isBlock ||
          holdsTask(a.exchange) - holdsTask(b.exchange) ||
          compareByPriority(a.exchange, b.exchange),
      )
      .map(({ exchange }) => exchange);
    const limits = { ...this.context, minMessagesToKeep, currentTokens: (yield* this.#size()).tokens };
    let least = targetTokens;
    for (;;) {
      const drops = dropsInOrder(ordered, { ...limits, targetTokens: least }, { reason });
      if (drops.length === this.#drops.length) break;
      this.#drops = drops;
      const { tokens, sentTokens } = yield* this.#size();
      if (sentTokens < before.sentTokens) return;
      least = Math.min(least, tokens) - (sentTokens - before.sentTokens) - 1;
    }
    this.#drops = planned;
  }

  /** True if the content that can't be cut, such as reasoning, is a giant by itself. */
  *#isBlock({ messages }: Exchange): Steps<boolean> {
    const cuttable = yield* this.#cuttable(messages);
    const tokens = messages.reduce((sum, message) => sum + message.tokens, 0);
    const whole = tokens - cuttable.reduce((sum, part) => sum + part.tokens, 0);
    return whole > this.context.maxTokens * giantShare;
  }

  /** Cuts the largest parts of these messages to one size: as large as the target allows, but at least `least` tokens. */
  *shorten(
    messages: readonly ViewMessage[],
    targetTokens: number,
    least: number,
    { marker, isCut = () => true }: Cutting = {},
  ): Steps<void> {
    const gone = new Set(this.#drops.flatMap((edit) => edit.messages));
    const cuttable = yield* this.#cuttable(messages.filter(({ id }) => !gone.has(id)));
    let parts = cuttable.filter((one) => one.tokens > least && isCut(one));
    for (let attempt = 0; attempt < maxAttempts && parts.length > 0; attempt += 1) {
      const excess = (yield* this.#size()).tokens - targetTokens;
      if (excess <= 0) return;
      const freed = parts.reduce((sum, part) => sum + (this.#replaced.get(part.key)?.freed ?? 0), 0);
      const size = Math.max(least, sizeThatFrees(freed + excess, parts));
      const stuck = new Set<Cuttable>();
      for (const part of parts)
        if (part.tokens > size && !(yield* this.#cut(part, size, marker))) stuck.add(part);
      parts = parts.filter((part) => !stuck.has(part));
    }
  }

  /** False if the part can't be made shorter than already planned. */
  *#cut(
    { key, message, index, part, tokens }: Cuttable,
    maxTokens: number,
    marker: CutOptions['marker'],
  ): Steps<boolean> {
    const { tokensOf, countInSteps } = this.context;
    const text = yield* shorter(part, { maxTokens, tokensOf, countInSteps }, marker);
    if (text === undefined) return false;
    const counted = part.type === 'tool-call' ? decodedText(JSON.parse(text)) : text;
    const freed = tokens - (yield* countInSteps(counted));
    const before = this.#replaced.get(key)?.freed ?? 0;
    if (freed <= before) return false;
    this.#freed.set(message, (this.#freed.get(message) ?? 0) + freed - before);
    this.#replaced.set(key, { type: 'replace', message, part: index, text, reason, freed });
    return true;
  }

  /** Parts that are not text share the tokens that the texts leave. */
  *#cuttable(messages: readonly ViewMessage[]): Steps<Cuttable[]> {
    const all: Cuttable[] = [];
    for (const message of messages) all.push(...(yield* this.#partsOf(message)));
    return all;
  }

  *#partsOf({ id, message, tokens }: ViewMessage): Steps<Cuttable[]> {
    const parts: Cuttable[] = [];
    for (const [index, part] of partsOf(message).entries()) {
      yield;
      const text = part.type === 'tool-call' ? decodedText(part.input) : partText(part);
      const counted = yield* this.context.countInSteps(text ?? '');
      parts.push({ key: `${id} ${index}`, message: id, index, part, tokens: counted });
    }
    const rest = tokens - parts.reduce((sum, part) => sum + part.tokens, 0);
    const unmeasured = parts.filter(({ part }) => holdsMedia(part));
    return parts
      .map((part) =>
        unmeasured.includes(part) ? { ...part, tokens: part.tokens + rest / unmeasured.length } : part,
      )
      .filter(({ part }) => part.type !== 'reasoning' && part.type !== 'opaque');
  }
}

/** The size to which parts must be cut to free `toFree` tokens in total, while smaller parts stay whole. */
function sizeThatFrees(toFree: number, parts: readonly Cuttable[]): number {
  const sizes = parts.map(({ tokens }) => tokens).toSorted((a, b) => b - a);
  let sum = 0;
  for (const [index, size] of sizes.entries()) {
    sum += size;
    const level = (sum - toFree) / (index + 1);
    if (level >= (sizes[index + 1] ?? 0)) return Math.floor(level);
  }
  return 0;
}

/** Used if there is no room to say how much is gone. */
const left = () => '…';

function* shorter(
  part: Part,
  limits: CutJsonOptions,
  marker: CutOptions['marker'],
): Steps<string | undefined> {
  const isTight = limits.maxTokens < leastTokens;
  if (part.type === 'tool-call')
    return (yield* cutJsonInSteps(part.input, limits)) ?? (isTight ? '{}' : undefined);
  const text = partText(part) ?? '';
  if (!holdsMedia(part)) {
    const cut = yield* cutTextInSteps(text, { ...limits, ...(marker && { marker }) });
    if (cut !== undefined || !isTight) return cut;
    return (yield* cutTextInSteps(text, { ...limits, marker: left })) ?? left();
  }
  const note = leftOut(part, limits);
  const rest = limits.maxTokens - limits.tokensOf(note) - 1;
  return [text === '' ? undefined : yield* cutTextInSteps(text, { ...limits, maxTokens: rest }), note]
    .filter((one) => one !== undefined)
    .join('\n');
}

function leftOut(part: Part, { maxTokens, tokensOf }: CutJsonOptions): string {
  const name = part.type === 'image' || part.type === 'file' ? mediaName(part) : undefined;
  const named = name && `[${part.type} ${name} left out: larger than the window]`;
  return named && tokensOf(named) <= maxTokens ? named : '[image or file left out: larger than the window]';
}

function holdsMedia(part: Part): boolean {
  return part.type === 'image' || part.type === 'file' || itemsOf(part).some(({ type }) => type !== 'text');
}
