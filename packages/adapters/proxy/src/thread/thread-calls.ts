import type { Warning } from '@ctx/conversation';
import type { ErrorFields } from '@ctx/core';
import type { HiddenExchange, PreparedRequest } from '@ctx/fetch';
import type { ChannelOptions } from 'birpc';
import type { ConversationsPart } from '../conversations.js';

/** What a thread of conversations begins with. */
export interface ThreadStart {
  readonly options: ConversationsPart;
  /** A file with more options. */
  readonly file: string | undefined;
}

/** The original request. */
export interface CopiedCall {
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  /** In a buffer of its own, which the other thread gets. */
  readonly body: Uint8Array<ArrayBuffer>;
}

/** What can be told another thread of a request that was prepared. */
export interface CopiedRequest
  extends Pick<PreparedRequest, 'purpose' | 'isOnlyLine' | 'needsLine' | 'report'> {
  /** In a buffer of its own, which the other thread gets. */
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  readonly hidden: Pick<HiddenExchange, 'name' | 'form'> | undefined;
}

/** What has kept a thread from beginning: the problems of an error of ctx, or what another one says. */
export type StartFailure =
  | { readonly kind: 'ConfigError' | 'CtxError'; readonly problems: readonly ErrorFields[] }
  | { readonly kind: 'other'; readonly code: string; readonly message: string };

/** What the thread of conversations does for that of the server. A request is known by a number until its exchange has ended. */
export interface ConversationCalls {
  /** Opens the conversations; `undefined` if that went well. */
  start(): Promise<StartFailure | undefined>;
  /** Loads and compiles what the first request would wait for. */
  warmUp(): Promise<void>;
  /** Answers at once. */
  alive(): void;
  prepare(id: number, call: CopiedCall): Promise<CopiedRequest | undefined>;
  recovered(id: number, overflow: unknown): Promise<CopiedRequest | undefined>;
  /** @param next the number of the request that goes on; it ends with the first */
  continued(
    id: number,
    next: number,
    entries: readonly unknown[],
    isWithoutTool: boolean,
  ): Promise<CopiedRequest>;
  run(id: number, args: unknown): Promise<string>;
  record(id: number, entries: readonly unknown[], results: readonly unknown[]): Promise<void>;
  lineNeeded(id: number): void;
  accepted(id: number, organization: string | undefined): void;
  taken(id: number): void;
  answered(id: number, answer: unknown): void;
  /** The exchange has ended, or was broken off. */
  ended(id: number): void;
  archived(): Promise<void>;
  close(): Promise<void>;
  /** Ends the thread. */
  exit(): void;
}

/** What the thread of the server does for that of conversations. */
export interface ServerCalls {
  warned(warning: Warning): void;
}

/** A message between the threads: a call with its arguments, or a result. What nobody waits for has no number. */
interface CallMessage {
  readonly i?: string;
  readonly a?: readonly unknown[];
  readonly r?: unknown;
}

/** One end of what lies between two threads. */
interface Port {
  postMessage(messages: readonly CallMessage[], handedOver: ArrayBuffer[]): void;
  on(event: 'message', listener: (messages: readonly CallMessage[]) => void): unknown;
}

/**
 * Sends messages between two threads. Each message wakes the other thread, so what nobody waits for is sent together, in its order: with the
 * next call or result, or when the event loop turns.
 */
export function channelOf(port: Port): Pick<ChannelOptions, 'post' | 'on'> {
  let waiting: CallMessage[] = [];
  const send = () => {
    const messages = waiting;
    waiting = [];
    if (messages.length > 0) port.postMessage(messages, messages.flatMap(buffersIn));
  };
  return {
    post: (message: CallMessage) => {
      waiting.push(message);
      if (message.i !== undefined) send();
      else if (waiting.length === 1) setImmediate(send);
    },
    on: (listener) => {
      port.on('message', (messages) => {
        for (const message of messages) listener(message);
      });
    },
  };
}

/** The buffers that a message hands over; all else is copied. */
function buffersIn({ a = [], r }: CallMessage): ArrayBuffer[] {
  return [...a, r].flatMap((value) => {
    const { body } = (value ?? {}) as { readonly body?: unknown };
    return body instanceof Uint8Array ? [body.buffer as ArrayBuffer] : [];
  });
}
