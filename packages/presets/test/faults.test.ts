import { type ContextManager, CtxError, type Message } from '@ctx/core';
import { eventProblems, hearCompressions } from '@ctx/servers';
import {
  assistant,
  call,
  deepFreeze,
  result,
  sentProblems,
  transcript,
  user,
  VirtualTime,
  words,
} from '@ctx/testing';
import { createContextManager, type PresetManagerOptions, restore } from '../src/index.js';

const conversation: readonly Message[] = deepFreeze(
  transcript(
    user('Never touch the public interface of the parser.'),
    ...Array.from({ length: 12 }, (_, index) => [
      call(`c${index}`, 'read', { path: `src/file-${index}.ts` }),
      result(`c${index}`, words(60, `line${index}`)),
      assistant(words(20, `thought${index}`)),
    ]).flat(),
    user('What is next?'),
  ),
);

/** Ms, of which none passes unless a summariser lets it pass. */
const stageMs = 600_000;

type Ask = Extract<NonNullable<PresetManagerOptions['summarize']>, (...args: never[]) => unknown>;

/** What a function that asks a model may do. */
const summarisers: Readonly<Record<string, (time: VirtualTime) => Ask>> = {
  'throws at once': () => () => {
    throw new Error('no such host');
  },
  'fails later': () => async () => {
    await new Promise(setImmediate);
    throw Object.assign(new Error('429'), { status: 429 });
  },
  'fails with what is no error': () => () => Promise.reject('overloaded'),
  'never answers': (time) => () => {
    time.pass(stageMs);
    return new Promise(() => {});
  },
  'answers after its time is over': (time) => async () => {
    time.pass(stageMs);
    await new Promise(setImmediate);
    return 'Too late.';
  },
  'answers with nothing': () => async () => '',
  'answers with no text': () => async () => null as never,
  refuses: () => async () => "I'm sorry, but I can't help with that.",
};

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => void unhandled.push(reason);
beforeAll(() => {
  process.on('unhandledRejection', onUnhandled);
});
afterAll(() => {
  process.off('unhandledRejection', onUnhandled);
});

interface Talk {
  readonly manager: ContextManager;
  readonly controller: AbortController;
  said: readonly Message[];
}

/** What a host may do while the model is asked. */
const happenings: Readonly<Record<string, (talk: Talk) => void>> = {
  'nothing else happens': () => {},
  'a message comes': (talk) => {
    const message = user('One thing more.');
    talk.manager.append(message);
    talk.said = [...talk.said, message];
  },
  'the host goes back': (talk) => {
    talk.manager.rewindTo(talk.manager.transcript[3]?.id as string);
    talk.said = talk.said.slice(0, 4);
  },
  'the tools change': ({ manager }) => manager.setTools([{ name: 'read' }]),
  'a message is pinned': ({ manager }) => manager.pin(manager.transcript[3]?.id as string),
  'the caller aborts': ({ controller }) => controller.abort(new Error('the user left')),
};

function talkWith(ask: Ask, time: VirtualTime): Talk {
  const manager = createContextManager({
    summarize: ask,
    wait: time.wait,
    config: {
      contextWindow: 20_000,
      pipeline: ['condense', 'oldest-removal'],
      trigger: { tokens: 500 },
      target: { tokens: 300 },
      timeoutMs: stageMs,
      throttleMs: 0,
    },
  });
  for (const message of conversation) manager.append(message);
  return { manager, controller: new AbortController(), said: conversation };
}

async function expectSound({ manager, said }: Talk): Promise<void> {
  expect(manager.transcript.map(({ message }) => message)).toEqual(said);
  expect(sentProblems(manager.view(), said)).toEqual([]);
  const copy = restore(JSON.parse(JSON.stringify(manager.snapshot())));
  expect(copy.view()).toEqual(manager.view());
}

async function expectHolds(summariser: (time: VirtualTime) => Ask, happens: (talk: Talk) => void) {
  const time = new VirtualTime();
  const ask = summariser(time);
  let isAsked = false;
  const talk = talkWith((prompt, options) => {
    if (!isAsked) happens(talk);
    isAsked = true;
    return ask(prompt, options);
  }, time);
  const { manager, controller } = talk;
  const heard = hearCompressions(manager);
  const outcome = await manager.checkAndCompress({ signal: controller.signal });
  if (controller.signal.aborted) {
    expect(outcome).toMatchObject({ status: 'failed', reason: 'aborted', error: { code: 'aborted' } });
    expect(manager.view()).toEqual(conversation);
  } else {
    // Nothing is left to do where the host went back to a conversation that is small enough.
    const [condensing] = outcome.record?.stages ?? outcome.stages ?? [];
    if (outcome.status !== 'unchanged')
      expect(condensing).toMatchObject({ strategy: 'condense', status: 'failed' });
    for (const error of heard.flatMap(({ event }) => ('error' in event ? [event.error] : [])))
      expect(String(error)).toMatch(
        /^CtxError: \[ctx\] (.*: )?(Condensing API call failed|Failed to condense|The work took longer)/,
      );
    expect(heard.filter(({ name }) => name === 'compression-fail')).toHaveLength(1);
  }
  await expectSound(talk);
  expect(eventProblems(heard)).toEqual([]);
  expect(isAsked).toBe(true);
  for (const { event } of heard) if ('error' in event) expect(CtxError.isInstance(event.error)).toBe(true);
  for (const { id } of [...manager.history].reverse()) manager.undo(id);
  expect(manager.view()).toEqual(talk.said);
  const next = await manager.compress({ strategy: 'oldest-removal', targetTokens: 100 });
  expect(next.status).not.toBe('failed');
  await expectSound(talk);
}

test.each(Object.entries(summarisers))(
  'a summariser that %s costs only the summary, whatever happens meanwhile',
  async (name, summariser) => {
    for (const [what, happens] of Object.entries(happenings)) {
      await expectHolds(summariser, happens).catch((error) => {
        throw new Error(`${name}, ${what}: ${error}`);
      });
    }
    expect(unhandled).toEqual([]);
  },
);
