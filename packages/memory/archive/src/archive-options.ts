/** What every archive can be told, whatever it keeps its texts in. */
export interface ArchiveOptions {
  /** Counts tokens. @default an estimate from length and script */
  readonly tokensOf?: ((text: string) => number) | undefined;
  /** Takes secrets out of a text before it is kept. Called with texts, headings and paths. @default nothing is taken out */
  readonly redact?: ((text: string) => string) | undefined;
  /** Ms. A conversation to which nothing was added for this long is forgotten. @default never */
  readonly timeToLive?: number | undefined;
  /** Characters that a conversation may have. Beyond them its oldest messages are forgotten. @default no limit */
  readonly maxCharacters?: number | undefined;
  /** Ms since epoch. @default Date.now */
  readonly now?: (() => number) | undefined;
}
