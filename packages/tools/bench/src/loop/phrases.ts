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

/** What follows a task in the middle of which the model is to ask, and the user's answer to that. */
export const pauseText = ' Stop after half of it, and ask.';
export const nodText = 'Yes, go on.';

/** Whether the last line of a text says a rule or a fact. */
export const isNews = (text: string): boolean =>
  /^(?:Rule|For later): /.test(text.slice(text.lastIndexOf('\n') + 1));

/** What a question asks for; undefined if the text is no question. */
export function askedIn(text: string): string | undefined {
  return between(text, 'Question: what is the ', '?').at(-1)?.inner;
}

/** The value of what is asked for, if the text says it. */
export function valueIn(text: string, subject: string): string | undefined {
  return between(text, `For later: the ${subject} is `, '.').at(-1)?.inner;
}

/** The marks of all rules that the text says word for word. */
export function marksIn(text: string): string[] {
  const [begin = '', end = ''] = ruleText('\n').split('\n');
  return [...new Set(between(text, begin, end).map(({ inner }) => inner))];
}

/** The files of the newest task that the text says whole, and what follows it; undefined without a task. */
export function taskIn(text: string) {
  const [begin = '', end = ''] = taskText(['\n']).split('\n');
  const task = between(text, begin, end).at(-1);
  return task && { paths: task.inner.split(', '), after: text.slice(task.end) };
}

/** Whatever stands between a beginning and an end on one line, without a mark of something that was left out. */
function between(text: string, begin: string, end: string) {
  const found: { inner: string; end: number }[] = [];
  for (let at = text.indexOf(begin); at >= 0; at = text.indexOf(begin, at + 1)) {
    const from = at + begin.length;
    const to = text.indexOf(end, from);
    if (to < 0) break;
    const inner = text.slice(from, to);
    if (inner !== '' && !inner.includes('\n') && !inner.includes('…'))
      found.push({ inner, end: to + end.length });
  }
  return found;
}
