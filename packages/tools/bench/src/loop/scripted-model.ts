import { askedIn, isNews, marksIn, nodText, pauseText, taskIn, valueIn } from './phrases.js';
import { lackingLine, revisionIn, revisionLine, showsWhole } from './project.js';
import type { ShownRequest } from './shown-request.js';

/** What the model says, and what it calls. */
export interface ModelTurn {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly input: Readonly<Record<string, string>> }[];
}

/** Reads of a file that still isn't shown whole, after which the model edits it without seeing it. */
const patience = 3;

/** What the model says where something it needs is in no message. */
export const asking = {
  fact: 'I do not know that. Please say it again.',
  task: 'What is the task?',
  goOn: 'Half of the files are done. Shall I go on with the others?',
};
const finished = 'Every file has its new revision.';
const blindly = 'without seeing all of it';

/** Whether the model said that it edits a file that it does not see whole. */
export const isBlind = (text: string): boolean => text.includes(blindly);

/**
 * A model that follows a script and knows only what a request shows. As *worker* it does the parts of the newest task one by one and goes on
 * after the last part that follows the task. As *editor* it changes a file only if it sees the whole of it, or an excerpt and a line that it
 * asks for by handle. As *keeper* it follows a rule
 * as long as it sees it word for word. As *witness* it answers from what was said, and asks if it does not find it. It remembers nothing
 * but how often it has read a file in vain.
 */
export class ScriptedModel {
  readonly #reads = new Map<string, number>();

  answer(request: ShownRequest): ModelTurn {
    const turn = this.#turn(request);
    return { ...turn, text: [turn.text, ...marksIn(request.text)].join(' ') };
  }

  #turn(request: ShownRequest): ModelTurn {
    const { role, text } = request.newest;
    if (role !== 'user') return this.#work(request);
    const asked = askedIn(text);
    if (asked !== undefined) return witness(request.text, asked);
    return isNews(text) ? say('Noted.') : this.#work(request);
  }

  #work({ text, newest, called }: ShownRequest): ModelTurn {
    const task = taskIn(text);
    const isTold = newest.role !== 'user' || newest.text === nodText || taskIn(newest.text) !== undefined;
    if (task === undefined || !isTold) return say(asking.task);
    if (newest.role === 'tool' && called.includes('edit')) return act('I run the tests.', 'run_tests', {});
    const done = doneParts(task);
    const isHalf = task.after.startsWith(pauseText) && done === Math.ceil(task.paths.length / 2);
    if (isHalf && !task.after.includes(asking.goOn)) return say(asking.goOn);
    const path = task.paths[done];
    return path === undefined ? say(finished) : this.#edit(text, path);
  }

  #edit(text: string, path: string): ModelTurn {
    const excerpt = lackingLine(text, path);
    const isWhole = excerpt?.isShown === true || showsWhole(text, path);
    const reads = this.#reads.get(path) ?? 0;
    if (!isWhole && excerpt !== undefined && reads <= patience) {
      this.#reads.set(path, reads + 1);
      return act(`I look up ${excerpt.name}.`, 'recall', { ref: excerpt.handle, query: excerpt.name });
    }
    if (!isWhole && reads < patience) {
      this.#reads.set(path, reads + 1);
      return act(`I read ${path}.`, 'read', { path });
    }
    this.#reads.delete(path);
    const revision = revisionIn(text, path) ?? 1;
    return act(`I raise the revision of ${path}${isWhole ? '' : ` ${blindly}`}.`, 'edit', {
      path,
      old_string: revisionLine(path, revision),
      new_string: revisionLine(path, revision + 1),
    });
  }
}

/** Parts of a task that are done: up to the last one of which a line after the task says so, in the model's words or in those of an excerpt. */
export function doneParts({ paths, after }: NonNullable<ReturnType<typeof taskIn>>): number {
  const said = after.split('\n').filter((line) => /\b(?:raise|edit|edited|changed)\b/i.test(line));
  return paths.findLastIndex((path) => said.some((line) => line.includes(path))) + 1;
}

function witness(text: string, subject: string): ModelTurn {
  const value = valueIn(text, subject);
  return say(value === undefined ? asking.fact : `It is ${value}.`);
}

const say = (text: string): ModelTurn => ({ text, calls: [] });
const act = (text: string, name: string, input: Readonly<Record<string, string>>): ModelTurn => ({
  text,
  calls: [{ name, input }],
});
