import {
  type CompressionRecord,
  type CompressionStrategy,
  ContextManager,
  ContextOverflowError,
  finish,
  type Message,
  MessageCounter,
  type Plan,
  type PlanContext,
  View,
} from '@ctx/core';
import { applyEdits, isResolved, Transcript, validateView } from '@ctx/core/kit';
import { deepFreeze } from './deep-freeze.js';
import { assistant, user } from './dsl.js';
import { configOf, managerOf, type PlanningOptions, planContextOf, unlimited } from './plan-context.js';
import { mixedContents, sentProblems } from './sent.js';
import { watched } from './strategy-watch.js';
import { wordCounter } from './words.js';

/** The laws that a strategy may not keep for a good reason. The others hold for every strategy on every conversation. */
export type LawName =
  | 'plans the same twice'
  | 'has no edit rejected'
  | 'lets the view only grow from then on'
  | 'does nothing more to its own view';

export interface LawOptions extends PlanningOptions {
  /** The laws that the strategy does not keep. */
  readonly skip?: readonly LawName[];
}

interface Lawful {
  readonly messages: readonly Message[];
  readonly record: CompressionRecord | undefined;
  readonly plan: Plan;
}

/** Compresses with a strategy and checks every law. Fails the running test by jest's `expect`. */
export async function checkLaws(
  planner: CompressionStrategy,
  before: readonly Message[],
  options: LawOptions,
): Promise<Lawful> {
  const { strategy, used } = watched(planner);
  const input = deepFreeze(structuredClone(before) as Message[]);
  const keeps = (law: LawName) => options.skip?.includes(law) !== true;
  const context = await planContextOf(input, options);
  const plan = await strategy.plan(context);
  expect(used).toEqual([]);

  for (const type of new Set(plan.edits.map((edit) => edit.type))) expect(strategy.emits).toContain(type);
  if (keeps('plans the same twice'))
    expect(await plannedTogether(planner, input, options)).toEqual([plan, plan]);
  expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);

  const manager = managerOf(input, options);
  const shownBefore = [...manager.view()];
  const request = { strategy, targetTokens: options.targetTokens };
  const rejected: CompressionRecord['rejected'][number][] = [];
  const stopListening = manager.on('edit-reject', (rejection) => {
    // The marker may need more tokens than the drop frees. Then nothing is done, and no edit is wrong.
    const isNotWorthIt = rejection.strategy === 'core' && rejection.invariant === 'fewer-tokens';
    if (!isNotWorthIt) rejected.push(rejection);
  });
  await manager.compress(request).catch(allowOverflow);
  stopListening();
  expect(used).toEqual([]);
  const record = manager.history[0];
  const messages = manager.view();
  expect(input).toEqual(before);
  if (keeps('has no edit rejected')) expect(rejected).toEqual([]);
  checkView(input, record, messages, options);
  const said = manager.transcript.map(({ message }) => message);
  const wordForWord = fitsWordForWord(context, options);
  expect(sentProblems(messages, said, { leadingUser: options.config?.leadingUser, wordForWord })).toEqual([]);
  if (wordForWord) for (const one of asked(said)) expect(messages).toContain(one);
  if (record !== undefined) {
    expect(mixedContents(record, manager.transcript)).toEqual([]);
    expect(tokensOf(messages, options)).toBeLessThan(tokensOf(shownBefore, options));
  }

  if (keeps('does nothing more to its own view')) {
    await manager.compress(request).catch(allowOverflow);
    expect(manager.history.slice(1)).toEqual([]);
  }

  const snapshot: unknown = JSON.parse(JSON.stringify(manager.snapshot()));
  const { counter = wordCounter } = options;
  const restored = ContextManager.restore(snapshot, { counter, config: configOf(options) });
  expect(restored.view()).toEqual(messages);
  if (keeps('lets the view only grow from then on')) expectGrowth(restored);

  for (const { id } of [...manager.history].reverse()) manager.undo(id);
  expect(manager.view()).toEqual(shownBefore);
  return { messages, record, plan };
}

/** Two plans at the same time, each with a pause wherever it may pause. */
async function plannedTogether(
  planner: CompressionStrategy,
  input: readonly Message[],
  options: LawOptions,
): Promise<Plan[]> {
  const slices = { sliceMs: 0, pause: async () => undefined };
  const context = () => planContextOf(input, { ...options, slices });
  const contexts = [await context(), await context()];
  return Promise.all(contexts.map((one) => planner.plan(deepFreeze(one))));
}

const counterOf = ({ counter = wordCounter }: LawOptions) =>
  new MessageCounter(counter, { message: 0, conversation: 0 });

function tokensOf(messages: readonly Message[], options: LawOptions): number {
  const counter = counterOf(options);
  return messages.reduce((sum, message) => sum + counter.message(message).tokens, 0);
}

/** Whatever is said next, the same objects as before are sent again. */
function expectGrowth(manager: ContextManager): void {
  for (const next of [user('and then?'), assistant('then this'), user('good')]) {
    const before = manager.view();
    manager.append(next);
    const after = manager.view();
    expect(after.length).toBeGreaterThan(before.length);
    // One comparison, as jest takes longer for each than everything else here.
    expect(before.findIndex((message, at) => after[at] !== message)).toBe(-1);
  }
}

/** Applies the record's edits again, without a manager, and compares. */
function checkView(
  input: readonly Message[],
  record: CompressionRecord | undefined,
  shown: readonly Message[],
  options: LawOptions,
): void {
  const transcript = new Transcript();
  const view = new View();
  const counter = counterOf(options);
  const count = (message: Message) => counter.message(message);
  for (const message of input) for (const added of transcript.append(message)) view.append(added, count);
  const { id = 'none', edits = [], relaxed } = record ?? {};
  const rules = {
    transcript,
    minMessagesToKeep: relaxed === 'last-resort' ? 1 : (options.minMessagesToKeep ?? 1),
    mayShorten: relaxed !== undefined,
  };
  const applied = finish(applyEdits(view, edits, rules, count, { record: id }));
  expect([...applied.rejected, ...validateView(applied.view, { ...rules, before: view })]).toEqual([]);
  expect(edits.every((edit) => isResolved(edit))).toBe(true);
  if (record !== undefined) expect(applied.view.tokens).toBeLessThan(view.tokens);
  const { marker, leadingUser, reasoning } = options.config ?? {};
  const isAsItIs = marker === undefined && leadingUser !== true && reasoning === undefined;
  if (isAsItIs) expect(shown).toEqual(applied.view.messages());
}

/**
 * Whether all that must stay fits into the window, with a margin: a tenth of it may be kept free for the answer, and a line for what was
 * dropped takes some, too.
 */
function fitsWordForWord({ view }: PlanContext, { contextWindow = unlimited }: LawOptions): boolean {
  const staying = view.filter(({ pinned }) => pinned).reduce((sum, { tokens }) => sum + tokens, 0);
  return staying + markerTokens <= 0.9 * contextWindow;
}

/** Tokens that the line which stands for what was dropped has at most, as words are counted. */
const markerTokens = 30;

/** The newest message of the user's, which the model answers next. */
function asked(said: readonly Message[]): Message[] {
  return said.filter(({ role, summary }) => role === 'user' && summary !== true).slice(-1);
}

/** Everything that may be removed was removed, even if that was not enough. */
function allowOverflow(error: unknown): void {
  if (!(error instanceof ContextOverflowError)) throw error;
}

/**
 * Expects that a strategy turns one list of messages into another and keeps every law. Each word is a token.
 * @param options `targetTokens` defaults to 0, so that the strategy removes as much as it can
 */
export async function expectView(
  strategy: CompressionStrategy,
  before: readonly Message[],
  after: readonly Message[],
  options: Partial<LawOptions> = {},
): Promise<Lawful> {
  const lawful = await checkLaws(strategy, before, { targetTokens: 0, ...options });
  expect(lawful.messages).toEqual(after);
  return lawful;
}
