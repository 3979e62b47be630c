/** What a model is asked. */
export interface ChatRequest {
  readonly system: string;
  readonly user: string;
  /** The longest answer that is of use. */
  readonly maxTokens: number;
  readonly signal: AbortSignal;
}

export interface Completion {
  readonly text: string;
  /** `length`: it was cut off; `refusal`: the provider or the model withheld it. */
  readonly stopReason: 'stop' | 'length' | 'refusal' | 'other';
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
  /** In the currency of the prices that were given. */
  readonly cost?: number | undefined;
}

/** Port: a language model. */
export interface ChatModel {
  readonly name: string;
  /** Tokens; a longer history is sent in pieces. @default that of the conversation's model */
  readonly contextWindow?: number | undefined;
  /** @throws ModelError, or the signal's reason when it aborts */
  complete(request: ChatRequest): Promise<Completion>;
}

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
