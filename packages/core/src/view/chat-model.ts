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

/** A language model. What `@ctx/models` makes is one. */
export interface ChatModel {
  readonly name: string;
  /** Tokens; a longer history is sent in pieces. @default that of the conversation's model */
  readonly contextWindow?: number | undefined;
  /** @throws the signal's reason when it aborts; its other errors go into the report of the stage, by their message */
  complete(request: ChatRequest): Promise<Completion>;
}
