/** What the model says in one answer. */
export interface Turn {
  /** Shown as a thinking block, reasoning item or thought, if the request allows it. Default: none. */
  readonly thinking?: string;
  readonly text?: string;
  readonly calls: readonly { readonly name: string; readonly input: Readonly<Record<string, unknown>> }[];
}

/** What the script knows of a request. */
interface Seen {
  /** The text of the newest message of the user that is not a tool's result, and no excerpt of what left the request. */
  readonly prompt: string;
  /** Every text of the user in the request, oldest first. What an adapter wrote in the user's name is among them. */
  readonly said: readonly string[];
  /** Rounds of tool calls since then whose results have come. 0 at a new prompt. */
  readonly round: number;
  /** The names of the tools that the request declares. */
  readonly tools: readonly string[];
}

/** Whether a text of the user asks for something: an excerpt in his name says what was done for the prompt before it. */
export function isPrompt(text: string): boolean {
  return !text.startsWith('[Done so far for the task above');
}

/** Says how the model goes on. */
export type Script = (seen: Seen) => Turn;

/** Rounds of tool calls before the final text of each task, and the one that makes two calls at once. */
const [rounds, parallelRound] = [3, 2];

/**
 * The script of a model that works for each prompt: rounds of tool calls, then a final text that repeats the prompt's beginning. It calls
 * the declared tools in turn, each with `{ path }`. Its texts are not ASCII only, so that a stream may be cut inside a character.
 */
export function agentScript(): Script {
  return ({ prompt, round, tools }) => {
    const subject = prompt.slice(0, 40);
    if (round >= rounds || tools.length === 0)
      return { thinking: `Nothing is left of “${subject}”.`, text: `Done – ${subject} ✓`, calls: [] };
    const next = round + 1;
    const calls = Array.from({ length: next === parallelRound ? 2 : 1 }, (_, at) => ({
      name: tools[(round + at) % tools.length] ?? '',
      input: { path: `src/${slug(subject)}-${next}-${at}.ts` },
    }));
    return { thinking: `Step ${next} of “${subject}” needs a look.`, text: `Schaue nach … (${next})`, calls };
  };
}

const slug = (words: string) => words.toLowerCase().replace(/[^a-z0-9]+/g, '-');
