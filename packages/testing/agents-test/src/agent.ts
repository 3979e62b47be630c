import type { RecallSource } from '@ctx/recall';

/** Where an agent finds its model. */
export interface AgentOptions {
  /** The address of a server, without a path. */
  readonly baseURL: string;
  /** Sends the requests. Default: the global one. */
  readonly fetch?: typeof globalThis.fetch;
  /** Where the agent's recall tool reads. Default: it has no such tool. */
  readonly recall?: RecallSource;
  /** What the user asks for, one after another in one conversation. Default `tasks()`. */
  readonly tasks?: readonly Task[];
}

/** What the user asks for. */
export interface Task {
  readonly prompt: string;
  /** A picture that comes with it, as base64 of a PNG. */
  readonly image?: string;
}

/** What an agent saw. */
export interface AgentRun {
  /** The final text of each task that came to its end. */
  readonly texts: string[];
  /** The error that ended the run; none if it came to its end. */
  readonly errors: unknown[];
  /** The agent's own history, in the form of its SDK. */
  history: readonly unknown[];
}

/** One agent for each way to call a model. */
export type Agent = (options: AgentOptions) => Promise<AgentRun>;

/** Runs the tasks one after another; the first error ends the run. */
export async function runTasks(
  { tasks: all = tasks() }: AgentOptions,
  perform: (task: Task, run: AgentRun) => Promise<string>,
): Promise<AgentRun> {
  const run: AgentRun = { texts: [], errors: [], history: [] };
  try {
    for (const task of all) run.texts.push(await perform(task, run));
  } catch (error) {
    run.errors.push(error);
  }
  return run;
}

/** What a client is told of where it finds the model. */
export const connection = ({ baseURL, fetch }: AgentOptions, path = '/v1') => ({
  apiKey: 'sk-test',
  baseURL: `${baseURL}${path}`,
  ...(fetch && { fetch }),
});

/** A PNG of one red pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

/** A picture as the address of itself. */
export const urlOf = (image: string): string => `data:image/png;base64,${image}`;

/** Tasks for an agent; the third comes with a picture. */
export function tasks(howMany = 12): Task[] {
  return Array.from({ length: howMany }, (_, at) => ({
    prompt: `Task ${at + 1}: find out why module ${at + 1} is slow, and say what to change.`,
    ...(at === 2 ? { image: pixel } : {}),
  }));
}

export const systemPrompt = 'You are a careful engineer. Read before you answer, and keep answers short.';
