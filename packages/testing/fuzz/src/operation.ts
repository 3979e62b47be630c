import type { HostileSpec } from './hostile.js';
import type { MessageSpec, OutputSpec } from './message-spec.js';

/** A compression that may be held, which means that it continues to run during the next steps. */
interface Held {
  readonly held?: boolean;
  /** `before`: its signal is already aborted. The step `abort` aborts a held one. */
  readonly abort?: 'before';
}

/** One step of a history, as plain JSON. `which` chooses among the things that exist at that time. */
export type Operation =
  | { readonly do: 'append'; readonly message: MessageSpec }
  | ({ readonly do: 'add'; readonly message: MessageSpec } & Held)
  /** Answers open calls of the newest assistant message. */
  | {
      readonly do: 'answer';
      readonly outputs: readonly OutputSpec[];
      readonly together: boolean;
      readonly backwards: boolean;
    }
  | ({ readonly do: 'check'; readonly beforeSend?: boolean } & Held)
  | ({
      readonly do: 'compress';
      readonly strategy?: string;
      readonly hostile?: HostileSpec;
      readonly share?: number;
      readonly instructions?: string;
    } & Held)
  | { readonly do: 'simulate'; readonly strategy?: string; readonly share?: number }
  | ({ readonly do: 'recover'; readonly overflow: boolean } & Held)
  | { readonly do: 'pin' | 'unpin' | 'rewind' | 'undo'; readonly which: number }
  | { readonly do: 'tools'; readonly size: number }
  /** Reports `factor` times the counted tokens, or an absurd figure if `absurd` is given. */
  | { readonly do: 'usage'; readonly factor: number; readonly absurd?: 'negative' | 'nan' | 'huge' | 'text' }
  | { readonly do: 'view' | 'settle' | 'abort' | 'release' }
  | { readonly do: 'restore'; readonly beside: boolean }
  | { readonly do: 'once'; readonly strategy: string; readonly share: number }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'garbage'; readonly which: number };
