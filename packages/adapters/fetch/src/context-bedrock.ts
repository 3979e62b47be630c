import {
  type ConversationsOptions,
  type ReportedUsage,
  refuseOptions,
  reportedUsage,
} from '@ctx/conversation';
import { overflowKind } from '@ctx/core/codec';
import { parsed } from './answer-frames.js';
import { overflowIn } from './answer-overflow.js';
import type { ContextFetchOptions } from './fetch-options.js';
import type { ManagedRequest } from './managed-request.js';
import { RequestPreparer } from './request-preparer.js';
import type { FetchCall } from './request-text.js';

export interface ContextBedrockOptions
  extends ConversationsOptions,
    Pick<ContextFetchOptions, 'conversation'> {}

/** What a middleware of an AWS client is given: a request before it is signed. */
interface BuildArguments {
  readonly input: object;
  readonly request: unknown;
}

interface BuildOutput {
  readonly response: unknown;
  readonly output: object;
}

type Next = (args: BuildArguments) => Promise<BuildOutput>;

/** The list of middleware of a client of the AWS SDK 3. */
interface MiddlewareStack {
  add(
    middleware: (next: Next) => Next,
    options: { readonly step: 'build'; readonly name: string; readonly priority: 'high' },
  ): void;
}

/** What `client.middlewareStack.use` takes. */
export interface BedrockPlugin {
  /** @throws ConfigError as `createContextManager` */
  applyToStack(stack: MiddlewareStack): void;
}

/**
 * A plugin for `BedrockRuntimeClient` of the AWS SDK, which keeps each conversation of the client inside the window of its model, and sends a
 * smaller one if Bedrock says that it was too large. It changes a request before the SDK signs it. Converse and ConverseStream are managed, and
 * InvokeModel of Claude. Each client that uses it has conversations of its own.
 */
export function contextBedrock(options: ContextBedrockOptions = {}): BedrockPlugin {
  refuseOptions(options, ['conversation']);
  return {
    applyToStack(stack) {
      const preparer = new RequestPreparer(options);
      // The SDK states the length of the body later in this step.
      const place = { step: 'build', name: 'contextBedrock', priority: 'high' } as const;
      stack.add((next) => (args) => sent(preparer, next, args), place);
    },
  };
}

/** The fields of the SDK's request that matter here. */
interface SdkRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

async function sent(preparer: RequestPreparer, next: Next, args: BuildArguments): Promise<BuildOutput> {
  const original = args.request as SdkRequest;
  const request = await preparer.prepare(callOf(original));
  if (request === undefined) return next(args);
  for (;;) {
    const { body = original.body } = request;
    let result: BuildOutput | undefined;
    let overflow: unknown;
    try {
      result = await next({ ...args, request: withBody(original, body) });
      overflow = overflowIn(result.output);
      if (overflow === undefined) return await answered(result, request);
    } catch (error) {
      if (overflowKind(error) === undefined) throw error;
      [result, overflow] = [undefined, error];
    }
    if (await request.recovered(overflow)) continue;
    if (result === undefined) throw overflow;
    return answered(result, request);
  }
}

function callOf({ protocol, hostname, path, method, headers, body }: SdkRequest): FetchCall {
  return { input: `${protocol}//${hostname}${path}`, init: { method, headers, body: body as string } };
}

/** Who sends a request may still hold it, and the SDK looks at its class. */
function withBody(request: SdkRequest, body: unknown): SdkRequest {
  return Object.assign(Object.create(Object.getPrototypeOf(request)), request, { body });
}

async function answered(result: BuildOutput, request: ManagedRequest): Promise<BuildOutput> {
  const output = result.output as Readonly<Record<string, unknown>>;
  const told = (usage: ReportedUsage | undefined) => request.turn.answered(usage);
  for (const key of ['stream', 'body']) {
    const events = output[key];
    if (!isStream(events)) continue;
    const reading = events[Symbol.asyncIterator]();
    // An overflow may be the first that a stream says.
    const first = await reading.next();
    request.taken();
    return { ...result, output: { ...output, [key]: watchedEvents(first, reading, told) } };
  }
  request.taken();
  told(reportedUsage(output) ?? reportedUsage(jsonIn(output.body)));
  return result;
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function* watchedEvents(
  first: IteratorResult<unknown>,
  reading: AsyncIterator<unknown>,
  told: (usage: ReportedUsage | undefined) => void,
): AsyncGenerator<unknown> {
  let usage: ReportedUsage | undefined;
  try {
    for (let result = first; result.done !== true; result = await reading.next()) {
      usage = usageIn(result.value) ?? usage;
      yield result.value;
    }
  } finally {
    told(usage);
    await reading.return?.();
  }
}

/** The usage in an event of Converse, or in one of the model itself. */
function usageIn(event: unknown): ReportedUsage | undefined {
  const { metadata, chunk } = event as { metadata?: unknown; chunk?: { bytes?: unknown } };
  return reportedUsage(metadata) ?? reportedUsage(jsonIn(chunk?.bytes));
}

function jsonIn(bytes: unknown): unknown {
  return bytes instanceof Uint8Array ? parsed(new TextDecoder().decode(bytes)) : undefined;
}
