import { type CompressionRecord, type ContextManager, CtxError } from '@ctx/core';
import {
  type Attributes,
  type MeterProvider,
  metrics,
  type Span,
  SpanStatusCode,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';

export interface InstrumentOptions {
  /** @default the globally registered one */
  readonly tracerProvider?: TracerProvider | undefined;
  /** @default the globally registered one */
  readonly meterProvider?: MeterProvider | undefined;
  /** Attributes of every span and every measurement, such as the name of an agent. */
  readonly attributes?: Attributes | undefined;
}

const scope = '@ctx/telemetry';

/**
 * Reports a manager's compressions to OpenTelemetry: a span `ctx.compress` for each, with an event for every stage, and the metrics
 * `ctx.*`, which also count what providers say of a request that was dear. Does nothing if no SDK is installed. Reports only names, numbers and codes, never any text of the conversation.
 * @returns a function that stops the reports and ends an open span
 */
export function instrument(
  manager: Pick<ContextManager, 'on' | 'stats'>,
  { tracerProvider, meterProvider, attributes = {} }: InstrumentOptions = {},
): () => void {
  const tracer = (tracerProvider ?? trace.getTracerProvider()).getTracer(scope);
  const instruments = instrumentsOf(meterProvider ?? metrics.getMeterProvider());
  const observe = (result: { observe(value: number, attributes?: Attributes): void }) =>
    result.observe(manager.stats().utilization, attributes);
  instruments.utilization.addCallback(observe);

  let span: Span | undefined;
  const end = () => {
    span?.end();
    span = undefined;
  };
  const fail = (error: unknown) => {
    const code = codeOf(error);
    instruments.failures.add(1, { ...attributes, 'error.type': code });
    span?.setAttribute('error.type', code).setStatus({ code: SpanStatusCode.ERROR, message: code });
    end();
  };

  const stops = [
    manager.on('compression-start', ({ reason, tokens, targetTokens }) => {
      end();
      span = tracer.startSpan('ctx.compress', {
        attributes: {
          ...attributes,
          'ctx.reason': reason,
          'ctx.tokens.measured': tokens,
          'ctx.tokens.target': targetTokens,
        },
      });
    }),
    manager.on('usage-report', ({ usage: { cacheMiss, droppedReasoning = [] } }) => {
      if (cacheMiss !== undefined) instruments.misses.add(1, { ...attributes, 'ctx.reason': cacheMiss });
      for (const reason of droppedReasoning)
        instruments.dropped.add(1, { ...attributes, 'ctx.reason': reason });
    }),
    manager.on('arrival-shorten', ({ tools, tokensBefore, tokensAfter }) => {
      const named = { ...attributes, 'ctx.tool': tools.join() };
      instruments.arrivals.add(tokensBefore - tokensAfter, named);
    }),
    manager.on('fallback-use', ({ strategy, after }) => {
      instruments.fallbacks.add(1, { ...attributes, 'ctx.strategy': strategy });
      span?.addEvent('fallback', { 'ctx.strategy': strategy, 'ctx.after': after });
    }),
    manager.on('edit-reject', ({ strategy, invariant }) => {
      const rejected = { 'ctx.strategy': strategy, 'ctx.invariant': invariant };
      instruments.rejected.add(1, { ...attributes, ...rejected });
      span?.addEvent('edit rejected', rejected);
    }),
    manager.on('compression-fail', ({ strategy, error }) => {
      if (strategy === undefined) fail(error);
      else span?.addEvent('stage failed', { 'ctx.strategy': strategy, 'error.type': codeOf(error) });
    }),
    manager.on('compression-skip', ({ strategy, reason }) => {
      if (strategy !== undefined) span?.addEvent('stage skipped', { 'ctx.strategy': strategy });
      else if (span !== undefined) {
        instruments.compressions.add(1, { ...attributes, 'ctx.outcome': 'unchanged' });
        span.setAttributes({ 'ctx.outcome': 'unchanged', 'ctx.skipped': reason });
        end();
      }
    }),
    manager.on('compression-end', ({ record, error }) => {
      const named = { ...attributes, 'ctx.outcome': 'compressed', 'ctx.strategy': record.strategy };
      instruments.compressions.add(1, named);
      instruments.tokensRemoved.add(record.tokensBefore - record.tokensAfter, attributes);
      instruments.messagesRemoved.add(record.messagesBefore - record.messagesAfter, attributes);
      instruments.duration.record(record.durationMs / 1000, attributes);
      // A histogram takes no values below 0. `ctx.tokens.removed` says by how much a request grew.
      instruments.reduction.record(Math.max(0, record.reduction), attributes);
      span?.setAttributes(attributesOf(record));
      for (const { strategy, status, edits, tokensAfter } of record.stages) {
        instruments.stages.add(1, { ...attributes, 'ctx.strategy': strategy, 'ctx.status': status });
        span?.addEvent('stage', {
          'ctx.strategy': strategy,
          'ctx.status': status,
          'ctx.edits': edits,
          'ctx.tokens.after': tokensAfter,
        });
      }
      if (error === undefined) end();
      else fail(error);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    instruments.utilization.removeCallback(observe);
    end();
  };
}

function instrumentsOf(provider: MeterProvider) {
  const meter = provider.getMeter(scope);
  return {
    compressions: meter.createCounter('ctx.compressions', { unit: '{compression}' }),
    failures: meter.createCounter('ctx.compression.failures', { unit: '{failure}' }),
    fallbacks: meter.createCounter('ctx.fallbacks', { unit: '{stage}' }),
    stages: meter.createCounter('ctx.stages', { unit: '{stage}' }),
    rejected: meter.createCounter('ctx.edits.rejected', { unit: '{edit}' }),
    misses: meter.createCounter('ctx.cache.misses', { unit: '{request}' }),
    dropped: meter.createCounter('ctx.reasoning.dropped', { unit: '{request}' }),
    arrivals: meter.createCounter('ctx.arrivals.tokens', { unit: '{token}' }),
    tokensRemoved: meter.createUpDownCounter('ctx.tokens.removed', { unit: '{token}' }),
    messagesRemoved: meter.createUpDownCounter('ctx.messages.removed', { unit: '{message}' }),
    duration: meter.createHistogram('ctx.compression.duration', { unit: 's' }),
    reduction: meter.createHistogram('ctx.compression.reduction', { unit: '1' }),
    utilization: meter.createObservableGauge('ctx.context.utilization', { unit: '1' }),
  };
}

function attributesOf(record: CompressionRecord): Attributes {
  return {
    'ctx.outcome': 'compressed',
    'ctx.strategy': record.strategy,
    'ctx.level': record.level,
    'ctx.tokens.before': record.tokensBefore,
    'ctx.tokens.after': record.tokensAfter,
    'ctx.messages.before': record.messagesBefore,
    'ctx.messages.after': record.messagesAfter,
    'ctx.reduction': record.reduction,
    'ctx.edits.rejected': record.rejected.length,
  };
}

/** A message may quote the conversation; a code and a name do not. */
function codeOf(error: unknown): string {
  if (CtxError.isInstance(error)) return error.code;
  return error instanceof Error ? error.name : typeof error;
}
