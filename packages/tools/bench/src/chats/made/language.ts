/** What chats in a language are made of. `{person}` in a sentence stands for one of the words of that slot. */
export interface ChatLanguage {
  readonly name: string;
  readonly speakers: readonly [string, string];
  /** Between two sentences. */
  readonly space: string;
  /** `person` has no word twice, and no two facts of a chat are about the same person. */
  readonly slots: Readonly<Record<string, readonly string[]>>;
  readonly facts: readonly FactTemplate[];
  /** Sentences that say nothing anybody asks about later. */
  readonly openings: readonly string[];
  readonly remarks: readonly string[];
  readonly reactions: readonly string[];
  readonly questions: readonly string[];
}

export interface FactTemplate {
  /** One sentence for each turn in which a part of the fact is told. */
  readonly tells: readonly string[];
  readonly asks: string;
  readonly answer: string;
}
