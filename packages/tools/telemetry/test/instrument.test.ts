import { ContextManager, defineStrategy, type Message } from '@ctx/core';
import { assistant, call, managerOf, result, user, wordCounter, words } from '@ctx/testing';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { instrument } from '../src/index.js';

const dropOldest = defineStrategy({
  name: 'drop-oldest',
  emits: ['drop'],
  plan: ({ view }) => ({
    edits: view.slice(0, 5).map(({ id }) => ({ type: 'drop', messages: [id], reason: 'old' })),
  }),
});
const broken = defineStrategy({
  name: 'broken',
  emits: ['drop'],
  plan() {
    throw new TypeError('it broke at: a secret of the conversation');
  },
});
const answers = Array.from({ length: 10 }, () => assistant(`secret ${words(20)}`));
const secretTalk: Message[] = [...answers, user('secret?')];

const put = async () => {};
const open: MeterProvider[] = [];
afterEach(() => Promise.all(open.splice(0).map((one) => one.shutdown())));

function instrumented(messages = secretTalk, config = {}, manager = managerOf(messages, config)) {
  const spans = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 1_000_000 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const stop = instrument(manager, { tracerProvider, meterProvider, attributes: { agent: 'one' } });
  const metricsNow = async () => {
    await meterProvider.forceFlush();
    const all =
      exporter
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? [];
    return new Map(all.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints]));
  };
  open.push(meterProvider);
  return { manager, stop, spans: () => spans.getFinishedSpans(), metricsNow };
}

test('a compression is a span with its figures, and an event for each stage', async () => {
  const { manager, spans, metricsNow } = instrumented();
  await manager.compress({ strategy: dropOldest, targetTokens: 10 });
  const [span, ...others] = spans();
  expect(others).toEqual([]);
  expect(span).toMatchObject({
    name: 'ctx.compress',
    attributes: {
      agent: 'one',
      'ctx.reason': 'by hand',
      'ctx.outcome': 'compressed',
      'ctx.strategy': 'drop-oldest',
      'ctx.tokens.before': 211,
      'ctx.tokens.after': 106,
      'ctx.messages.before': 11,
      'ctx.messages.after': 6,
    },
    events: [
      {
        name: 'stage',
        attributes: { 'ctx.strategy': 'drop-oldest', 'ctx.status': 'progress', 'ctx.edits': 5 },
      },
    ],
  });
  const metrics = await metricsNow();
  expect(metrics.get('ctx.compressions')).toMatchObject([
    { value: 1, attributes: { agent: 'one', 'ctx.outcome': 'compressed' } },
  ]);
  expect(metrics.get('ctx.tokens.removed')).toMatchObject([{ value: 105 }]);
  expect(metrics.get('ctx.messages.removed')).toMatchObject([{ value: 5 }]);
  expect(metrics.get('ctx.compression.duration')).toHaveLength(1);
  expect(metrics.get('ctx.context.utilization')).toHaveLength(1);
});

test('what a provider says of a request that was dear is counted by its reason', async () => {
  const { manager, metricsNow } = instrumented();
  manager.request();
  const droppedReasoning = ['prefix_mismatch', 'turn_boundary'];
  manager.reportUsage({ inputTokens: 210, cacheMiss: 'tools_changed', droppedReasoning });
  manager.reportUsage({ inputTokens: 210 });
  const metrics = await metricsNow();
  expect(metrics.get('ctx.cache.misses')).toMatchObject([
    { value: 1, attributes: { agent: 'one', 'ctx.reason': 'tools_changed' } },
  ]);
  expect(metrics.get('ctx.reasoning.dropped')).toMatchObject([
    { value: 1, attributes: { 'ctx.reason': 'prefix_mismatch' } },
    { value: 1, attributes: { 'ctx.reason': 'turn_boundary' } },
  ]);
});

test('tokens that were shortened at arrival are counted by tool', async () => {
  const archive = { put, keep: put, get: async () => [], search: async () => [], forget: put, close: put };
  const config = { contextWindow: 100_000, arrivals: { over: 1_000, to: 300 } };
  const made = new ContextManager({ archive, counter: wordCounter, config });
  const { manager, metricsNow } = instrumented([], {}, made);
  manager.append(user('Look'));
  manager.append(call('c1', 'unknown'));
  manager.append(result('c1', words(3_000)));
  await manager.checkAndCompress({ beforeSend: true });
  const metrics = await metricsNow();
  expect(metrics.get('ctx.arrivals.tokens')).toMatchObject([
    { value: expect.any(Number), attributes: { agent: 'one', 'ctx.tool': 'unknown' } },
  ]);
  expect(metrics.get('ctx.arrivals.tokens')?.[0]?.value).toBeGreaterThan(2_000);
});

test('a failed stage is an event of the span, and so is the stage after it', async () => {
  const { manager, spans, metricsNow } = instrumented(secretTalk, { contextWindow: 100 });
  await manager.compress({ strategy: broken, targetTokens: 10 });
  const names = spans()[0]?.events.map(({ name, attributes }) => [name, attributes?.['ctx.strategy']]);
  const [broke, last] = [
    ['stage', 'broken'],
    ['stage', 'last-resort'],
  ];
  expect(names).toEqual([['stage failed', 'broken'], ['fallback', 'last-resort'], broke, last]);
  const metrics = await metricsNow();
  const fallbacks = [{ value: 1, attributes: { 'ctx.strategy': 'last-resort' } }];
  expect(metrics.get('ctx.fallbacks')).toMatchObject(fallbacks);
  expect(metrics.get('ctx.stages')).toMatchObject([
    { value: 1, attributes: { 'ctx.strategy': 'broken', 'ctx.status': 'failed' } },
    { value: 1, attributes: { 'ctx.strategy': 'last-resort', 'ctx.status': 'progress' } },
  ]);
});

test('a request that grew while it was compressed is reported as it was', async () => {
  const { manager, spans, metricsNow } = instrumented();
  const late = defineStrategy({
    name: 'late',
    emits: ['drop'],
    plan() {
      manager.append(user(words(500)));
      return { edits: [{ type: 'drop', messages: ['m1'], reason: 'old' }] };
    },
  });
  await manager.compress({ strategy: late, targetTokens: 10 });
  const metrics = await metricsNow();
  const { tokensBefore = 0, tokensAfter = 0, reduction } = manager.history[0] ?? {};
  expect(tokensAfter).toBeGreaterThan(tokensBefore);
  expect(metrics.get('ctx.tokens.removed')).toMatchObject([{ value: tokensBefore - tokensAfter }]);
  expect(metrics.get('ctx.compression.reduction')).toMatchObject([{ value: { count: 1, sum: 0 } }]);
  expect(spans()[0]?.attributes['ctx.reduction']).toBe(reduction);
});

test('a compression that changed nothing has a span, and a check below the trigger has none', async () => {
  const { manager, spans } = instrumented();
  await manager.checkAndCompress();
  expect(spans()).toEqual([]);
  await manager.compress({ strategy: broken, targetTokens: 10 });
  const attributes = { 'ctx.outcome': 'unchanged', 'ctx.skipped': 'no stage made progress' };
  expect(spans()).toMatchObject([{ attributes }]);
});

test('an abort and an overflow end their spans with an error', async () => {
  const aborted = instrumented();
  await aborted.manager.compress({ strategy: dropOldest, targetTokens: 10, signal: AbortSignal.abort() });
  const attributes = { 'error.type': expect.any(String) };
  expect(aborted.spans()).toMatchObject([{ status: { code: 2 }, attributes }]);

  const pinned = instrumented([{ ...user(words(500)), pinned: true }, user('go')], { contextWindow: 100 });
  await pinned.manager.compress({ strategy: dropOldest, targetTokens: 10 }).catch(() => undefined);
  expect(pinned.spans()).toMatchObject([{ status: { code: 2 } }]);
  expect((await pinned.metricsNow()).get('ctx.compression.failures')).toMatchObject([{ value: 1 }]);

  const [large, small] = [{ ...user(words(500)), pinned: true }, user(words(50))];
  const reduced = instrumented([small, large, user('go')], { contextWindow: 100 });
  await reduced.manager.compress({ strategy: dropOldest, targetTokens: 10 }).catch(() => undefined);
  expect(reduced.manager.history).toHaveLength(1);
  expect(reduced.spans()).toMatchObject([
    { status: { code: 2 }, attributes: { 'ctx.outcome': 'compressed', 'error.type': 'context-overflow' } },
  ]);
  expect((await reduced.metricsNow()).get('ctx.compression.failures')).toMatchObject([{ value: 1 }]);
});

test('no text of the conversation leaves, neither of messages nor of errors', async () => {
  const { manager, spans, metricsNow } = instrumented(secretTalk, { contextWindow: 100 });
  await manager.compress({ strategy: broken, targetTokens: 10 });
  const sent = [
    ...spans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
    ...(await metricsNow()),
  ];
  expect(JSON.stringify(sent)).not.toContain('secret');
});

test('once stopped, it reports nothing more', async () => {
  const { manager, stop, spans } = instrumented();
  stop();
  await manager.compress({ strategy: dropOldest, targetTokens: 10 });
  expect(spans()).toEqual([]);
});

test('two managers have spans of their own', async () => {
  const [one, other] = [instrumented(), instrumented()];
  const compress = () => ({ strategy: dropOldest, targetTokens: 10 });
  await Promise.all([one, other].map(({ manager }) => manager.compress(compress())));
  expect([one.spans().length, other.spans().length]).toEqual([1, 1]);
});

test('without an SDK nothing happens, and nothing breaks', async () => {
  const manager = managerOf(secretTalk);
  const failures: unknown[] = [];
  manager.on('listener-fail', (failure) => failures.push(failure));
  const stop = instrument(manager);
  await manager.compress({ strategy: dropOldest, targetTokens: 10 });
  stop();
  expect([manager.history.length, failures]).toEqual([1, []]);
});
