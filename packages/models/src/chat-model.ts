export type { ChatModel, ChatRequest, Completion } from '@ctx/core';

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

/** Why a model gave no answer. Its message holds neither the key nor what was asked. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly kind: ModelErrorKind;
  readonly status: number | undefined;
  /** What the server asks to wait, in ms. */
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

  /** True where the same request may work a little later. */
  get isRetryable(): boolean {
    return ['rate-limit', 'server', 'network', 'timeout'].includes(this.kind);
  }
}
