import {
  ContextManager,
  compressMessages,
  createContainer,
  type Message,
  parseConfig,
  registerAgentTexts,
  registerNods,
  settingsFor,
} from '@ctx/core';
import { call, deepFreeze, managerOf, result, user, wordCounter, words } from '@ctx/testing';
import { thrownBy } from '../thrown-by.js';

test.each([
  ['container', { container: {} }],
  ['__proto__', { config: JSON.parse('{"__proto__": {"contextWindow": 5}}') }],
  ['contextWindow', { config: { contextWindow: Number.POSITIVE_INFINITY } }],
  ['model', { model: 7 }],
  ['provider', { provider: ['openai'] }],
  ['now', { now: null }],
  ['wait', { wait: 10 }],
  ['slices.sliceMs', { slices: { sliceMs: -1 } }],
  ['slices.pause', { slices: { pause: 8 } }],
])('%s is refused by its name', (place, options) => {
  expect(thrownBy(() => new ContextManager(options as never))).toMatchObject({
    code: 'config-invalid',
    place,
  });
});

describe('keys named `__proto__`', () => {
  const parsed = (json: string) => JSON.parse(json);

  afterEach(() => {
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test.each([
    ['options', '{"options": {"__proto__": {"polluted": 1}}}'],
    ['the options of a rule', '{"rules": [{"options": {"__proto__": {"polluted": 1}}}]}'],
    ['the pipeline', '{"pipeline": ["__proto__"]}'],
  ])('in %s count as an unknown strategy', (_title, json) => {
    expect(thrownBy(() => new ContextManager({ config: parsed(json) }))).toMatchObject({
      code: 'strategy-unknown',
      value: '__proto__',
    });
  });

  test('in the options of a strategy reach its schema', () => {
    const options = settingsFor({}, parseConfig(parsed('{"options": {"a": {"__proto__": {"polluted": 1}}}}')))
      .options.a;
    expect(Object.keys(options ?? {})).toEqual(['__proto__']);
  });

  test('are profiles like any other', () => {
    const config = parsed(
      '{"contextWindow": 8192, "profile": "__proto__", "profileThresholds": {"__proto__": 50}}',
    );
    const manager = new ContextManager({ config, counter: wordCounter });
    for (let at = 0; at < 50; at += 1) manager.append(user(words(79)));
    expect(manager.willCompress()).toBe(true);
    expect(manager.warnings.join()).not.toContain('profile');
  });

  test('in tool input and metadata stay unchanged', () => {
    const input: unknown = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": "x"}');
    const message = {
      ...call('a', 'read', input),
      metadata: JSON.parse('{"__proto__": {"a": 1}}'),
    } as Message;
    const manager = managerOf([message]);
    expect(manager.view()[0]).toBe(message);
    expect(JSON.stringify(manager.snapshot().messages[0]?.message)).toBe(JSON.stringify(message));
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

const nested = (levels: number) => {
  let value: unknown = 'deep';
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? { value } : [value];
  return value;
};

describe('a value too deep for JSON is refused, with its place:', () => {
  test.each<[string, Message, string]>([
    ['a tool input', call('a', 'read', nested(100_000)), 'messages[1].content[0].input'],
    [
      'a result',
      result('a', { type: 'json', value: nested(1_001) as never }),
      'messages[1].content[0].output',
    ],
    ['metadata', { ...user('hi'), metadata: { deep: nested(1_001) } }, 'messages[1].metadata'],
    ['native', { ...user('hi'), native: nested(5_000) }, 'messages[1].native'],
  ])('%s', (_title, message, place) => {
    const manager = managerOf(message.role === 'tool' ? [call('a', 'read', {})] : [user('go')]);
    const error = thrownBy(() => manager.append(message));
    expect(error).toMatchObject({ code: 'value-no-json', place });
    expect(manager.transcript).toHaveLength(1);
    expect(JSON.parse(JSON.stringify(manager.snapshot()))).toEqual(manager.snapshot());
  });

  test('a value shared many times is visited once', () => {
    let shared: unknown = 'end';
    for (let level = 0; level < 60; level += 1) shared = [shared, shared];
    expect(managerOf([{ ...user('hi'), native: { shared } }]).transcript).toHaveLength(1);
  });
});

describe('an odd value is counted without a crash:', () => {
  const cyclic: Record<string, unknown> = { name: 'cycle' };
  cyclic.self = cyclic;
  test.each<[string, Message]>([
    ['lone surrogates', user('\ud800 and \udc00')],
    ['special tokens of a tokenizer', user('<|endoftext|><|im_start|>')],
    ['a tool input 900 levels deep', call('a', 'read', nested(900))],
    ['a cyclic tool input', call('a', 'read', cyclic)],
    ['a BigInt in a tool input', call('a', 'read', { big: 10n })],
  ])('%s', (_title, message) => {
    const manager = managerOf([message]);
    expect(manager.view()[0]).toBe(message);
    expect(manager.stats().currentTokens).toBeGreaterThan(0);
  });
});

describe('the manager refuses a call, and rejects if it returns a promise:', () => {
  const manager = managerOf([user(words(10)), user(words(10)), user(words(10))]);

  test('adding something that is not a message', async () => {
    await expect(manager.add({ role: 'robot' } as never)).rejects.toThrow('messages[3].role');
    for (const wrong of [null, 'hi', undefined])
      expect(thrownBy(() => manager.append(wrong as never))).toMatchObject({ place: 'messages[3]' });
    expect(manager.transcript).toHaveLength(3);
  });

  test('compressing with an unknown strategy', async () => {
    await expect(manager.compress({ strategy: 'nobody' })).rejects.toMatchObject({
      code: 'strategy-unknown',
      place: 'strategy',
    });
  });

  test('compressing to a target that is not a number', async () => {
    const refused = { code: 'config-invalid', place: 'targetTokens' };
    for (const targetTokens of [Number.NaN, '50' as never]) {
      await expect(manager.compress({ targetTokens })).rejects.toMatchObject(refused);
      await expect(manager.simulate({ targetTokens })).rejects.toMatchObject(refused);
      await expect(compressMessages([user('hi')], { targetTokens })).rejects.toMatchObject(refused);
    }
    expect(manager.view()).toHaveLength(3);
  });
});

const nothing = [undefined, null, 7, 'text', {}];
const noTexts = [undefined, 'weiter', [7], ['']];
const noTools = [5, true, 5n, () => 'read', Symbol('read'), new Map([['read', {}]]), Promise.resolve([])];
const noOptions = [null, 7, true, () => 1, 'x', []];

const shown = managerOf([user('hi')]);
shown.view();
const noList = (place: string) => (value: unknown) => ({ code: 'message-invalid', place, value });
const noSetting = (value: unknown) => ({ code: 'config-invalid', value });

describe.each<[string, (given: never) => unknown, (given: unknown) => object, readonly unknown[]]>([
  ['messages', (given) => compressMessages(given, { targetTokens: 100 }), noList('messages'), nothing],
  ['a history', (given) => shown.sync(given), noList('history'), nothing],
  ['nods', (given) => registerNods(createContainer(), given), noSetting, noTexts],
  ['texts of agents', (given) => registerAgentTexts(createContainer(), given), noSetting, noTexts],
  ['tools', (given) => new ContextManager({ tools: given }), noSetting, [...noTools, [5], [null]]],
  ['other tools', (given) => shown.setTools(given), noSetting, [...noTools, [5], [null]]],
  ['options', (given) => new ContextManager(given), () => ({ code: 'config-invalid' }), noOptions],
  [
    'options of a restart',
    (given) => ContextManager.restore(shown.snapshot(), given),
    () => ({ code: 'config-invalid' }),
    noOptions,
  ],
  [
    'a report of usage',
    (given) => shown.reportUsage(given),
    () => ({ code: 'usage-invalid', place: 'usage.inputTokens' }),
    [...nothing, [], { inputTokens: '100' }, { inputTokens: -1 }],
  ],
])('what is given as %s and is none is refused, and changes nothing:', (_what, use, error, values) => {
  test.each(values.map((value) => [value]))('%p', async (value) => {
    const before = JSON.stringify([shown.snapshot(), shown.stats()]);
    await expect((async () => use(value as never))()).rejects.toMatchObject(error(value));
    expect(JSON.stringify([shown.snapshot(), shown.stats()])).toBe(before);
  });
});

test('what names no message is refused by its code, and takes nothing back', async () => {
  const manager = managerOf([user('hi')]);
  const refused = expect.objectContaining({ code: 'id-unknown' });
  for (const id of [...nothing, [], Symbol('id')]) {
    expect(() => manager.rewindTo(id as never)).toThrow(refused);
    if (id !== undefined) await expect(manager.explain(id as never)).rejects.toEqual(refused);
  }
  expect(manager.transcript).toHaveLength(1);
});

test('what counts ahead leaves malformed messages to append', () => {
  for (const given of [undefined, null, 7, {}, [], [null], [{ role: 'user' }]])
    expect([...managerOf([user('hi')]).countAhead(given as never)].length).toBeLessThan(3);
});

test.each<[string, unknown, number]>([
  ['with a cycle', Object.assign([{ name: 'read' }], { self: deepFreeze({}) }), 1],
  ['with a BigInt', [{ name: 'read', limit: 10n }], 1],
  ['that are a text', 'read files', 2],
  ['by their names', { read: { about: 'files' } }, 1],
  ['that are missing', undefined, 0],
])('tool definitions %s are counted, and nothing crashes', (_title, tools, least) => {
  const manager = new ContextManager({ tools, counter: wordCounter });
  expect(manager.stats().currentTokens).toBeGreaterThanOrEqual(3 + least);
});
