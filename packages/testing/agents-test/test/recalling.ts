import { type Task, tasks } from '@ctx/agents-test';
import { agentScript, type Script, type Turn } from '@ctx/servers';

export const recallTasks: Task[] = tasks(4).map(({ prompt }) => ({ prompt }));
export const prompts = recallTasks.map(({ prompt }) => prompt);
/** What the first task read, and only that one, as it is in JSON. */
export const early = "export const value17 = load('src/task-1-find-out-why-module-1-is-slow-a-1-0.ts', 17);";
export const query = 'value17 task-1-find-out-why-module-1-is-slow-a-1-0.ts';
export const done = recallTasks.map((_task, at) => `Done – Task ${at + 1}`);

/** Works on each task with the other tools; in the last task, or another, `first` says what comes before. */
export const recalling =
  (first: (usual: Turn, round: number) => Turn | undefined, of = prompts.at(-1)): Script =>
  ({ tools, ...seen }) => {
    // An adapter may put an excerpt behind the prompt.
    const prompt = seen.said.findLast((text) => prompts.includes(text)) ?? '';
    const usual = agentScript()({ ...seen, prompt, tools: tools.filter((name) => name !== 'recall') });
    return (prompt === of ? first(usual, seen.round) : undefined) ?? usual;
  };

/** Recalls before all else. */
export const recallFirst = (input: Readonly<Record<string, unknown>>): Script =>
  recalling((_, round) =>
    round === 0
      ? { thinking: 'I saw that.', text: 'Moment …', calls: [{ name: 'recall', input }] }
      : undefined,
  );
