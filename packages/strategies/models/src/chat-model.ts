import type { ChatModel } from '@ctx/core';

export type { ChatModel } from '@ctx/core';

export type ChatRequest = Parameters<ChatModel['complete']>[0];
export type Completion = Awaited<ReturnType<ChatModel['complete']>>;

export type ModelErrorKind =
  | 'auth'
  | 'rate-limit'
  | 'overflow'
  | 'server'
  | 'network'
  | 'timeout'
  | 'malformed'
  | 'redirect'
  | 'request';

/** The reason why a model gave no answer. Its message contains neither the key nor the prompt. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly kind: ModelErrorKind;
  readonly status: number | undefined;
  /** How long the server asks to wait, in ms. */
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: ModelErrorKind,
    message: string,
    { status, retryAfterMs }: { readonly status?: number; readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether the same request may succeed a little later. */
  get isRetryable(): boolean {
    return ['rate-limit', 'server', 'network', 'timeout'].includes(this.kind);
  }
}
