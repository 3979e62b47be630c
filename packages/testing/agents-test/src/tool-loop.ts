import { recallTool } from '@ctx/recall';
import { type AgentOptions, type AgentRun, runTasks, type Task } from './agent.js';
import { runTool, tools } from './tools.js';

/** A tool as an agent offers it. */
export interface Offered {
  readonly name: string;
  readonly description: string;
  /** The JSON schema of its input. */
  readonly schema: object;
}

/** A call of the model's; its input is an object, or the JSON of one. */
interface Call {
  readonly id?: string | undefined;
  readonly name: string;
  readonly input: unknown;
}

/** What an agent does in its own way: how its SDK asks a model, and how its history is written. */
interface Form<Entry> {
  said(task: Task): Entry;
  /** Asks the model. `text` is what it said; it counts where there are no calls. */
  ask(
    history: Entry[],
    offered: readonly Offered[],
  ): Promise<{
    readonly entry: Entry | readonly Entry[];
    readonly calls: readonly Call[];
    readonly text: string;
  }>;
  results(answered: readonly (Call & { readonly output: string })[]): Entry | Entry[];
}

/** The loop of every agent that its SDK leaves to the agent: it asks, and runs tools, until the model calls no more. */
export function toolLoop<Entry>(
  options: AgentOptions,
  history: Entry[],
  { said, ask, results }: Form<Entry>,
): Promise<AgentRun> {
  const recall = options.recall && recallTool(options.recall);
  const own: readonly Offered[] = tools;
  const offered = recall === undefined ? own : [...own, { ...recall, schema: recall.parameters }];
  const outputOf = (name: string, input: unknown) => {
    if (name === recall?.name) return recall.run(input);
    return runTool(name, typeof input === 'string' ? JSON.parse(input) : input);
  };
  return runTasks(options, async (task, run) => {
    run.history = history;
    history.push(said(task));
    for (;;) {
      const { entry, calls, text } = await ask(history, offered);
      history.push(...([entry].flat() as Entry[]));
      if (calls.length === 0) return text;
      const answered: (Call & { readonly output: string })[] = [];
      for (const call of calls) answered.push({ ...call, output: await outputOf(call.name, call.input) });
      history.push(...([results(answered)].flat() as Entry[]));
    }
  });
}

/** A tool as chat completions, and those who took over their form, want it. */
export const functionTool = ({ name, description, schema }: Offered) => ({
  type: 'function' as const,
  function: { name, description, parameters: { ...schema } as Record<string, unknown> },
});
