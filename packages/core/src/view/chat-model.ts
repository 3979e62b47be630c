/** One request to a model. */
interface ChatRequest {
  readonly system: string;
  readonly user: string;
  /** The longest useful answer. */
  readonly maxTokens: number;
  readonly signal: AbortSignal;
}

interface Completion {
  readonly text: string;
  /** `length`: the answer was cut off. `refusal`: the provider or the model withheld it. */
  readonly stopReason: 'stop' | 'length' | 'refusal' | 'other';
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
  /** In the currency of the configured prices. */
  readonly cost?: number | undefined;
}

/** A language model, for those who need more than a function `(prompt) => text`. */
export interface ChatModel {
  readonly name: string;
  /**
   * In tokens. A longer history is sent in pieces.
   * @default that of the conversation's model
   */
  readonly contextWindow?: number | undefined;
  /** @throws the signal's reason when it aborts; the stage's report has the message of any other error */
  complete(request: ChatRequest): Promise<Completion>;
}
