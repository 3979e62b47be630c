import { createHash } from 'node:crypto';
import type { Call, Task } from './task.js';
import type { Result } from './tools.js';

/** One thing said in a session, before it gets a provider's form. */
export type Entry =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly Answered[] };

interface Answered extends Result {
  readonly id: string;
  readonly tool: Call['tool'];
  readonly input: Call['input'];
}

/** Plays a task: makes every call and puts what was learned into what is said. */
export function play(task: Task, run: (call: Call) => Result): Entry[] {
  const learned = new Map<string, string>();
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (all, name: string) => learned.get(name) ?? all);
  const made = (call: Call, at: string): Result => {
    const result = run(call);
    if (result.isError === (call.fails ?? false)) return result;
    throw new Error(`${task.id}, ${at}: ${call.tool} ${JSON.stringify(call.input)}\n${result.output}`);
  };
  for (const call of task.prepare ?? []) made(call, 'prepare');

  let count = 0;
  return task.steps.map((step, index) => {
    if ('user' in step) return { role: 'user', text: fill(step.user) };
    const calls = step.calls.map((call) => {
      count += 1;
      const { tool, input } = call;
      return { id: idOf(`${task.id} ${count}`), tool, input, ...made(call, `step ${index + 1}`) };
    });
    const outputs = calls.map(({ output }) => output).join('\n');
    for (const [name, pattern] of Object.entries(step.learn ?? {})) {
      const [, found] = pattern.exec(outputs) ?? [];
      if (found === undefined) throw new Error(`${task.id}, step ${index + 1}: no ${pattern} in\n${outputs}`);
      learned.set(name, found);
    }
    return { role: 'assistant', text: fill(step.agent), calls };
  });
}

const idOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 20);
