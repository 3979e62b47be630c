import type { ContextEvents } from '@ctx/core';
import {
  type CompressionStrategy,
  ContextManager,
  createContainer,
  defineStrategy,
  type Edit,
  folderToken,
  type ManagerOptions,
  type Message,
  messageText,
  type PlanContext,
  registerResolver,
  registerStrategy,
  type Steps,
  summarizerToken,
  type TokenCounter,
  toolCallsOf,
  type ViewMessage,
} from '@ctx/core';
import { type Awaits, hearCompressions } from '@ctx/servers';
import {
  assistant,
  call,
  deepFreeze,
  managerOf,
  result,
  system,
  transcript,
  user,
  wordCounter,
  words,
} from '@ctx/testing';
import type { Snapshot } from '../../src/manager/snapshot.js';
import { drop, planning, replace } from '../edits.js';

type EventName = keyof ContextEvents;

export const timeoutMs = 1_000;

const conversation: readonly Message[] = deepFreeze(
  transcript(
    system('You help with a parser.'),
    user('Never change the public interface of the parser.'),
    ...Array.from({ length: 8 }, (_, index) => [
      call(`c${index}`, 'read', { path: `src/file-${index}.ts` }),
      result(`c${index}`, words(40, `line${index}`)),
      assistant(words(12, `thought${index}`)),
    ]).flat(),
    user('What is next?'),
  ),
);

export const moreMessages: readonly Message[] = deepFreeze(
  transcript(
    assistant('I look once more.'),
    call('more', 'read', { path: 'src/more.ts' }),
    result('more', words(30, 'more')),
    assistant(words(10, 'found')),
    user('And now?'),
  ),
);

const allEvents: Readonly<Record<EventName, true>> = {
  'message-append': true,
  'arrival-shorten': true,
  'epoch-start': true,
  'usage-warning': true,
  'usage-report': true,
  'level-change': true,
  'strategy-select': true,
  'compression-start': true,
  'compression-end': true,
  'compression-skip': true,
  'compression-fail': true,
  'edit-reject': true,
  'fallback-use': true,
  'transcript-rewind': true,
  'listener-fail': true,
  'archive-fail': true,
  hint: true,
};

/** A manager whose surroundings all go through `awaits`, and the messages appended to it. */
export class World {
  readonly manager: ContextManager;
  readonly options: ManagerOptions;
  readonly heard: ReturnType<typeof hearCompressions>;
  /** The expected transcript, from all appends and rewinds. */
  said: readonly Message[];
  /** Calls that began while another was awaited. */
  readonly begun: Promise<unknown>[] = [];
  readonly controller = new AbortController();
  /** Claims in records that were not true when they were made. */
  readonly recordProblems: string[] = [];
  /** Compressions so far; what was made before a send is none. */
  #compressions: number;

  constructor(
    awaits: Awaits,
    beginning: Snapshot,
    shared: Pick<ManagerOptions, 'counter' | 'container'> = {
      counter: loadingCounter(awaits),
      container: containerOf(awaits),
    },
  ) {
    this.options = {
      ...shared,
      now: () => 1_000_000,
      beforeCompress: awaits.wrap('ask', async () => undefined),
      slices: { sliceMs: 0, pause: awaits.wrap('pause', async () => undefined) },
      config: {
        contextWindow: 2_000,
        overhead: { message: 0, conversation: 0 },
        trigger: { tokens: 300 },
        target: { tokens: 60 },
        minMessagesToKeep: 1,
        throttleMs: 0,
        timeoutMs,
        pipeline: ['folding', 'summing', 'translating', 'stepping', 'dropping'],
        beforeSend: { pipeline: ['shortening'] },
      },
    };
    this.manager = ContextManager.restore(beginning, this.options);
    this.#compressions = this.manager.stats().compressions;
    this.said = this.manager.transcript.map(({ message }) => message);
    this.heard = hearCompressions(this.manager);
    this.manager.on('epoch-start', ({ reason, record }) => {
      if (reason === 'record') this.#lookAt(record);
    });
    for (const name of Object.keys(allEvents) as EventName[]) {
      this.manager.on(
        name,
        awaits.wrap(`listener ${name}`, async () => undefined),
      );
    }
  }

  /** The first listener of a record finds it in force, with the figures it gives. */
  #lookAt(id: string | undefined): void {
    const { transcript: messages, history, simplifications } = this.manager;
    const record = [...history, ...simplifications].find((one) => one.id === id);
    const said = new Set(messages.map((one) => one.id));
    const stats = this.manager.stats();
    if (record === undefined) return void this.recordProblems.push(`${id} is not there`);
    for (const one of record.removed)
      if (!said.has(one)) this.recordProblems.push(`${id} removed ${one}, which was gone`);
    if (record.tokensAfter !== stats.countedTokens) this.recordProblems.push(`${id} left other tokens`);
    if (record.messagesAfter !== stats.messages) this.recordProblems.push(`${id} left other messages`);
    if (!record.beforeSend) this.#compressions += 1;
    if (stats.compressions !== this.#compressions) this.recordProblems.push(`${id} is not in the totals`);
  }

  append(...messages: readonly Message[]): void {
    for (const message of messages) this.manager.append(message);
    this.said = [...this.said, ...messages];
  }

  /** Rewinds to a place, or to an earlier one if a call would otherwise wait for its result. */
  rewindTo(place: number): void {
    const { transcript: messages } = this.manager;
    const at = messages.findLastIndex(
      ({ message }, index) => index <= place && message.role !== 'tool' && toolCallsOf(message).length === 0,
    );
    this.said = this.said.slice(0, at + 1);
    this.manager.rewindTo(messages[at]?.id as string);
  }

  begin(task: Promise<unknown>): void {
    // The result is checked after the action has ended. Until then, a rejection must not count as unhandled.
    task.catch(() => {});
    this.begun.push(task);
  }

  abort(): void {
    this.controller.abort(new Error('the user left'));
  }
}

/** The conversation as a host stored it: with a record in force and a pinned message. */
export async function beginningOf(): Promise<Snapshot> {
  const manager = managerOf(conversation, { contextWindow: 2_000 });
  await manager.compress({ strategy: planning(drop('m3', 'm4')), targetTokens: 1 });
  manager.pin('m5');
  return JSON.parse(JSON.stringify(manager.snapshot()));
}

/** Counts two tokens per word until it is loaded. */
export function loadingCounter(awaits: Awaits): TokenCounter {
  let loaded = false;
  return {
    get loaded() {
      return loaded;
    },
    load: awaits.wrap('load', async () => {
      loaded = true;
    }),
    count: (text) => wordCounter.count(text) * (loaded ? 1 : 2),
  };
}

export function containerOf(awaits: Awaits) {
  const container = createContainer();
  const planned = (name: string, strategy: Omit<CompressionStrategy, 'name'>) => {
    const plan = awaits.wrap(`plan ${name}`, (context: PlanContext) => strategy.plan(context));
    registerStrategy(container, defineStrategy({ ...strategy, name, plan }));
  };
  planned('folding', { emits: ['fold'], partial: true, plan: folding });
  const finish = awaits.wrap('finish', async (edits: readonly Edit[]) => edits);
  const finished = (context: PlanContext) => ({ ...summing(context), finish });
  planned('summing', { emits: ['summarize', 'merge'], plan: finished });
  planned('translating', { emits: ['translate'], plan: translating });
  planned('stepping', { emits: ['drop'], plan: stepping });
  planned('shortening', { emits: ['replace'], plan: shortening });
  registerStrategy(
    container,
    defineStrategy({ name: 'dropping', emits: ['drop'], plan: awaits.wrapSync('plan at once', dropping) }),
  );
  const asked = awaits.wrap('summarize', async (count: number) => `${count} messages about files`);
  container.register(summarizerToken, {
    useValue: {
      async summarize({ messages, note }) {
        note?.({ asked: messages.length });
        const text = await asked(messages.length);
        note?.({ answered: text });
        return { text, notes: { by: 'a stub' } };
      },
    },
  });
  container.register(folderToken, {
    useValue: { fold: awaits.wrap('fold', async () => 'folded to names') },
  });
  registerResolver(container, 'translate', {
    resolve: awaits.wrap('resolve', async (edit: Edit) => [
      { ...(edit as Edit & { message: string }), type: 'replace', part: 0, text: 'in short', reason: 'long' },
    ]),
  });
  return container;
}

const textOf = ({ message }: ViewMessage) => messageText(message);

function resultsOver(view: readonly ViewMessage[], least: number) {
  return view.filter(
    ({ message, verbatim, tokens }) => message.role === 'tool' && !verbatim && tokens > least,
  );
}

function folding({ view }: PlanContext) {
  const edits = resultsOver(view, 20)
    .slice(0, 2)
    .map(({ id }) => ({ type: 'fold' as const, message: id, part: 0, paths: ['a.ts'], reason: 'read' }));
  return { edits };
}

/** The first run of at least four neighbours that may leave, in whole exchanges. */
function summing({ view }: PlanContext) {
  const runs: ViewMessage[][] = [[]];
  for (const message of view) {
    if (message.pinned) runs.push([]);
    else runs.at(-1)?.push(message);
  }
  const run = runs.find(({ length }) => length >= 4) ?? [];
  const next = run[6]?.exchange;
  const messages = run.filter(({ exchange }) => next === undefined || exchange < next).map(({ id }) => id);
  if (messages.length < 2) return { edits: [] };
  return { edits: [{ type: 'summarize' as const, messages, maxTokens: 20, reason: 'old' }] };
}

function translating({ view }: PlanContext) {
  const long = view.filter(
    (one) => one.message.role === 'assistant' && !one.verbatim && textOf(one).split(' ').length > 5,
  );
  return { edits: long.slice(0, 2).map(({ id }) => ({ type: 'translate', message: id, reason: 'long' })) };
}

function dropsOf({ view }: PlanContext, most: number): Edit[] {
  const exchanges = [...new Set(view.map(({ exchange }) => exchange))]
    .map((number) => view.filter(({ exchange }) => exchange === number))
    .filter((members) => members.every(({ pinned }) => !pinned));
  return exchanges.slice(0, most).map((members) => drop(...members.map(({ id }) => id)));
}

async function stepping(context: PlanContext) {
  function* work(): Steps<Edit[]> {
    yield;
    return dropsOf(context, 1);
  }
  const edits = await context.inSlices(work());
  const step = Number(context.state?.step ?? 0) + 1;
  return { edits, notes: { step }, ...(step < 3 && edits.length > 0 && { state: { step } }) };
}

function dropping(context: PlanContext) {
  return { edits: dropsOf(context, 100) };
}

function shortening({ view }: PlanContext) {
  return { edits: resultsOver(view, 20).map(({ id }) => replace(id, 'and so on')) };
}
