/** What gpt-tokenizer has of an encoding. */
export interface EncodingTables {
  countTokens(text: string, options: { disallowedSpecial: Set<string> }): number;
  clearMergeCache(): void;
  /** Divides a text into the pieces that are encoded one by one. */
  readonly pattern: RegExp;
}
