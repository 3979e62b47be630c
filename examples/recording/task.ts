/** What a recorded session is made of: data, which `play` turns into a conversation. */
export interface Task {
  readonly id: string;
  readonly system: string;
  /** Done to the copy before the session starts: the mistakes that the agent is to find. */
  readonly prepare?: readonly Call[];
  readonly steps: readonly Step[];
}

export type Step =
  | { readonly user: string }
  | {
      /** What the agent says; `{name}` is what an earlier step learned. */
      readonly agent: string;
      /** Several calls are made in parallel, in one message. */
      readonly calls: readonly Call[];
      /** Figures to take from the results: the first group of each pattern. */
      readonly learn?: Readonly<Record<string, RegExp>>;
    };

export interface Call {
  readonly tool: 'read' | 'grep' | 'list' | 'bash' | 'edit' | 'write';
  readonly input: Readonly<Record<string, string | number>>;
  /** The call is meant to fail; any other that fails stops the recording. */
  readonly fails?: boolean;
}

export const user = (text: string): Step => ({ user: text });
export const agent = (
  text: string,
  calls: readonly Call[] = [],
  learn: Readonly<Record<string, RegExp>> = {},
): Step => ({ agent: text, calls, learn });

export const read = (path: string, range: { offset?: number; limit?: number } = {}): Call => ({
  tool: 'read',
  input: { path, ...range },
});
export const grep = (pattern: string, path: string): Call => ({ tool: 'grep', input: { pattern, path } });
export const list = (path: string): Call => ({ tool: 'list', input: { path } });
export const bash = (command: string): Call => ({ tool: 'bash', input: { command } });
export const edit = (path: string, old: string, text: string): Call => ({
  tool: 'edit',
  input: { path, old, new: text },
});
export const write = (path: string, content: string): Call => ({ tool: 'write', input: { path, content } });
export const failing = (call: Call): Call => ({ ...call, fails: true });
