import {
  agentScript,
  type ModelServer,
  type ModelServerOptions,
  type ReceivedRequest,
  type Script,
  type Turn,
} from '@ctx/servers';
import { type AgentOptions, type AgentRun, type Task, tasks } from './agent.js';
import { type NamedAgent, startServerFor } from './agents.js';
import { runTool, tools } from './tools.js';

/** What became of one run of an agent, seen by its server and in its own history. Plain JSON. */
export interface MeasuredRun {
  readonly agent: string;
  /** Tasks whose final text is about that very task. */
  readonly finished: number;
  readonly errors: readonly string[];
  readonly accepted: number;
  /** Requests that the server would not have in any length. */
  readonly invalid: number;
  /** Requests that were too long, or were said to be. */
  readonly overflowed: number;
  /** Requests that were refused for anything else. */
  readonly otherwiseRefused: number;
  /** Tokens of the largest request that was accepted. */
  readonly largest: number;
  /** What is missing: in the agent's own history, or in a request that needs it. */
  readonly lost: readonly string[];
  /** The server's errors, in order. */
  readonly problems: readonly string[];
}

/** Runs an agent against a server of its own and says what became of it. */
export async function measuredRun(
  agent: NamedAgent,
  serverOptions: ModelServerOptions = {},
  options: Omit<AgentOptions, 'baseURL'> = {},
): Promise<MeasuredRun> {
  const all = options.tasks ?? tasks();
  const server = await startServerFor(agent, { script: taskScript(all), ...serverOptions });
  try {
    const run = await agent.run({ baseURL: server.url, ...options });
    return measured(agent.name, run, server, all);
  } finally {
    await server.close();
  }
}

function measured(agent: string, run: AgentRun, server: ModelServer, all: readonly Task[]): MeasuredRun {
  const { accepted, invalid, overflowed, requests, problems } = server;
  const answered = requests.filter(({ outcome, number }) => outcome === 'accepted' && number !== undefined);
  const done = all.filter((task, at) => run.texts[at] === turnsOf(task).at(-1)?.text);
  return {
    agent,
    finished: done.length,
    errors: run.errors.map(String),
    accepted,
    invalid,
    overflowed,
    otherwiseRefused: requests.filter(({ outcome }) => outcome === 'refused').length,
    largest: Math.max(0, ...answered.map(({ tokens = 0 }) => tokens)),
    lost: [...lostIn(run.history, all.slice(0, run.texts.length)), ...promptsLostIn(answered, all)],
    problems,
  };
}

const script = agentScript();

/** Works on the newest task whose prompt the request has word for word; without any it has nothing to do. */
export const taskScript = (all: readonly Task[]): Script => {
  const prompts = new Set(all.map(({ prompt }) => prompt));
  return ({ said, ...seen }) => {
    const prompt = said.findLast((text) => prompts.has(text));
    return prompt === undefined
      ? { text: 'There is no task.', calls: [] }
      : script({ ...seen, said, prompt });
  };
};

const toolNames = tools.map(({ name }) => name);
/** The turns of a task, one for each request: rounds of calls, and the one that brings the final text. */
function turnsOf({ prompt }: Task): Turn[] {
  const turns: Turn[] = [];
  do turns.push(script({ prompt, said: [], round: turns.length, tools: toolNames }));
  while (turns.at(-1)?.calls.length !== 0);
  return turns;
}

/** A text as it stands inside of JSON. */
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** Prompts and tool results of finished tasks that the agent's history does not have in full. */
function lostIn(history: readonly unknown[], finished: readonly Task[]): string[] {
  const json = JSON.stringify(history);
  return finished.flatMap((task) => {
    const results = turnsOf(task).flatMap(({ calls }) =>
      calls.map(({ name, input }) => runTool(name, input)),
    );
    return [task.prompt, ...results]
      .filter((text) => !json.includes(inJson(text)))
      .map((text) => `the agent's history has no “${text.slice(0, 60)}”`);
  });
}

/** Requests without the whole prompt of the task that they work on. */
function promptsLostIn(answered: readonly ReceivedRequest[], all: readonly Task[]): string[] {
  const working = all.flatMap((task) => turnsOf(task).map(() => task));
  return answered.flatMap(({ number, body }, at) => {
    const prompt = working[at]?.prompt;
    if (prompt !== undefined && body.toString().includes(inJson(prompt))) return [];
    return [`request ${number} has no “${prompt}”`];
  });
}
