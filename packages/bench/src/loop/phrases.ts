/** The sentences that the user says. The scripted model recognises them by their form, and only where they stand whole in a request. */

/** What the user wants to be kept in mind, and asks for at the end. */
export interface Fact {
  /** Such as `door code of the amber ridge`. */
  readonly subject: string;
  readonly value: string;
}

export const factText = ({ subject, value }: Fact): string => `For later: the ${subject} is ${value}.`;
export const questionText = ({ subject }: Fact): string => `Question: what is the ${subject}?`;
export const ruleText = (mark: string): string =>
  `Rule: from now on, end every message with the mark "${mark}".`;
export const taskText = (paths: readonly string[]): string =>
  `Task: raise the revision in each of these files, one after the other, and run the tests after each of them: ${paths.join(', ')}. End of the task.`;

/** Whether a text says a rule or a fact. */
export const isNews = (text: string): boolean => /^(?:Rule|For later): /.test(text);

/** What a question asks for; undefined if the text is no question. */
export function askedIn(text: string): string | undefined {
  return [...text.matchAll(/Question: what is the ([^?\n]+)\?/g)].at(-1)?.[1];
}

/** The value of what is asked for, if the text says it. */
export function valueIn(text: string, subject: string): string | undefined {
  const begin = `For later: the ${subject} is `;
  const at = text.lastIndexOf(begin);
  return at < 0 ? undefined : /^(\S+)\./.exec(text.slice(at + begin.length))?.[1];
}

/** The marks of all rules that the text says word for word. */
export function marksIn(text: string): string[] {
  const found = text.matchAll(/Rule: from now on, end every message with the mark "([^"\n]+)"\./g);
  return [...new Set([...found].map(([, mark = '']) => mark))];
}

/** The files of the newest task that the text says whole, and what follows it; undefined without a task. */
export function taskIn(
  text: string,
): { readonly paths: readonly string[]; readonly after: string } | undefined {
  const task = [
    ...text.matchAll(
      /Task: raise the revision in each of these files, one after the other, and run the tests after each of them: ([^…\n]+)\. End of the task\./g,
    ),
  ].at(-1);
  if (task === undefined) return undefined;
  const [whole, list = ''] = task;
  return { paths: list.split(', '), after: text.slice(task.index + whole.length) };
}
