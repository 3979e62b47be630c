// What register.ts calls of the bundle; see ../../src/index.ts.
type Rows = readonly unknown[];
interface Session {
  readonly originals: Rows;
  readonly undone: Rows | undefined;
}
export function compact(
  rows: Rows,
  options: {
    readonly sent: Rows;
    readonly usage:
      | { readonly threshold: number; readonly tokens: number; readonly messages?: number }
      | undefined;
    readonly focus?: string | undefined;
    readonly mostTokens?: number | undefined;
    readonly handles: boolean;
    readonly now: number;
    readonly left?: (() => number) | undefined;
    readonly pause: () => unknown;
  },
): Promise<{
  readonly rows: Rows | undefined;
  readonly report: {
    readonly tokensBefore: number;
    readonly tokensAfter: number;
    readonly did: readonly string[];
    readonly failed: string | undefined;
  };
}>;
export function asTheyAre(rows: Rows): Rows;
export function liveSession(text: string, sent: Rows): Session | undefined;
export function sessionOf(text: string): Session | undefined;
export function readInRanges(
  size: number,
  read: (range: { offset: number; length: number }) => Promise<string>,
): Promise<string>;
export function recall(rows: Rows, query: string): string;
export function shortened(text: string, path: string): string | undefined;
export function statusOf(session: Session): string;
export function shownFiles(rows: Rows): Map<string, string>;
export function isShownWhole(file: string, shown: string): boolean;
export function estimateTokens(text: string): number;
