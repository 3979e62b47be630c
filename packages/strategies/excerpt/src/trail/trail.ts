import { type ExcerptSection, trailHeading } from '../excerpt-text.js';
import type { Section } from '../sections.js';
import { deedsOf, type ToolDeeds } from './deed.js';
import { planOf } from './plan-list.js';
import type { Deed } from './shell-deed.js';

/** Objects in a line, and in one of old lines together; lines of a trail; UTF-16 units of what somebody or something said. */
const mostObjects = 40;
const mostTogether = 100;
const mostLines = 20;
const longestSaid = 200;
/** Folders from the root on that paths must share so that it is worth a line. */
const leastDepth = 3;
/** Words of a line that says how a run of tests ended, next to a number. */
const verdict =
  /\d (?:tests? )?(?:passed|passing|failed|failing|failures?|errors?|ok)|(?:failed|passed|failures?|errors?) ?[:=] ?\d/i;
/** … and of output that says that it failed. */
const failing =
  /[1-9] (?:tests? )?(?:failed|failing|failures?|errors?)|(?:fail|failed|failures?|errors?) ?[:=] ?[1-9]|exit(?:ed with)? code:? [1-9]|ERR!|(?:^|\n)(?:FAIL|not ok|error:)|error (?:TS|\[E)\d/i;
/** What is done to files and by commands says enough by itself: its results are not shown, and neighbours share a line. */
const quietVerbs = new Set(['edited', 'wrote', 'deleted', 'moved', 'ran']);
/** What the newest plan and what the agent said last begin with. */
const planHeading = 'plan:';
const lastSaid = 'said last: ';
/** Results that say nothing. */
const nothingSaid = /^(?:\(no output\)|no output|ok)?$/i;

export interface TrailOptions {
  /** Whether nothing was said after the sections but what stays. */
  readonly isNewest: boolean;
  /** The folder from which on paths are written. */
  readonly root?: string | undefined;
  /** What the host says that its tools do. */
  readonly deeds?: ToolDeeds | undefined;
  /** Whether there is room for a text. */
  fits(text: string): boolean;
}

interface Entry extends Deed {
  readonly order: number;
  readonly times: number;
  readonly failed: boolean;
  readonly outcome: string;
}

/**
 * What was done, as a section of a few lines that no target is too small for: what changed the world, by kind and object, in the order in
 * which each was last changed; the last run of the tests with its result; the newest plan; what the agent said last.
 * @param sections in order
 */
export function trailOf(
  sections: readonly Section[],
  { isNewest, deeds = {}, fits, root: given }: TrailOptions,
): ExcerptSection | undefined {
  const before = sections
    .filter(({ heading }) => heading === trailHeading)
    .flatMap(({ blocks }) => blocks.map(({ text }) => text));
  const { root, lines } = linesOf(entriesOf(sections, deeds), given);
  const done = [...before, ...lines];
  const whole: Lasting = { gone: 0, first: done[0] ?? '', said: isNewest ? newest(sections) : [] };
  const textOf = ({ gone, first, said }: Lasting) =>
    [
      ...(root === '' || (gone === done.length && given === undefined) ? [] : [`paths below ${root}`]),
      ...(gone === done.length ? [] : [first, ...done.slice(gone + 1)]),
      ...said,
    ].join('\n');
  const states = fits(textOf(whole)) ? [whole] : shorterAndShorter(whole, done);
  // Counting is dear, so not every state is counted.
  let [low, high] = [0, states.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(textOf(states[middle] as Lasting))) high = middle;
    else low = middle + 1;
  }
  const text = textOf(states[low] as Lasting);
  return text === '' ? undefined : { heading: trailHeading, text };
}

/** What stays of the lines of what was done and of what was said of it. */
interface Lasting {
  /** How many lines of what was done are gone. */
  readonly gone: number;
  /** What stays of the next one. */
  readonly first: string;
  readonly said: readonly string[];
}

/** What stays of all lines each time a little is taken away, to nothing. */
function shorterAndShorter(whole: Lasting, done: readonly string[]): Lasting[] {
  let { gone, first, said } = whole;
  let length = done.join().length;
  const states = [whole];
  while (gone < done.length || said.length > 0) {
    const isLast = gone === done.length - 1 && !first.includes(', ');
    // What was done outlives what was said of it.
    if (said.length > 0 && (isLast || length <= said.join().length)) said = lessOf(said);
    else {
      const less = withoutOldest(first);
      if (less === undefined) gone += 1;
      length -= less === undefined ? first.length + 1 : first.length - less.length;
      first = less ?? done[gone] ?? '';
    }
    states.push({ gone, first, said });
  }
  return states;
}

/** Without what was said last, then without the oldest steps of the plan, as those to come are the last of them. */
function lessOf(lines: readonly string[]): readonly string[] {
  if (lines[0] !== planHeading) return [];
  const [heading, ...steps] = lines;
  if (steps.at(-1)?.startsWith(lastSaid)) return lines.slice(0, -1);
  return steps.length > 1 ? [heading, ...steps.slice(1)] : [];
}

/** A line without the older half of what it names; undefined if it names only one. */
function withoutOldest(line: string): string | undefined {
  const half = line.indexOf(', ', line.length / 2);
  const at = half < 0 ? line.indexOf(', ') : half;
  if (at < 0) return undefined;
  const verb = line.slice(0, line.indexOf(' '));
  const hasVerb = verb !== '…' && !verb.endsWith(',');
  return `${hasVerb ? `${verb} ` : ''}… ${line.slice(at + 2)}`;
}

/** For each object, what was last done to it. */
function entriesOf(sections: readonly Section[], deeds: ToolDeeds): Entry[] {
  const entries = new Map<string, Entry>();
  for (const [order, section] of sections.entries()) {
    const { kind, call } = section;
    if (call === undefined || (kind !== 'call' && kind !== 'failure')) continue;
    for (const deed of deedsOf(call, deeds)) {
      const key = deed.verb === 'tests' ? 'tests' : `${deed.verb} ${deed.object}`;
      const before = entries.get(key);
      const failed = kind === 'failure';
      // An edit that failed changed nothing.
      if (failed && before !== undefined && deed.verb !== 'tests') continue;
      entries.delete(key);
      entries.set(key, {
        ...deed,
        order,
        times: (before?.times ?? 0) + 1,
        failed,
        outcome: outcomeOf(section, deed),
      });
    }
  }
  return [...entries.values()];
}

function outcomeOf({ blocks, kind }: Section, { verb }: Deed): string {
  const isError = kind === 'failure';
  const output = blocks.findLast(({ voice }) => voice === 'tool')?.text ?? '';
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  if (verb === 'tests') {
    const said = lines.findLast((line) => verdict.test(line));
    const isFailed = isError || failing.test(output);
    // Without a word on how it ended, its last line has to do.
    const state = isFailed ? 'failed' : said === undefined ? '' : 'passed';
    return [state, shortened((said ?? lines.at(-1) ?? '').trim())].filter((text) => text !== '').join(': ');
  }
  const [only = ''] = lines;
  return !quietVerbs.has(verb) && lines.length === 1 && !nothingSaid.test(only.trim())
    ? shortened(only.trim())
    : '';
}

interface Line {
  readonly verb: string;
  readonly objects: string[];
}

/** Writes entries in order; neighbours of one kind share a line, and so do the oldest of each kind if there are many lines. */
function linesOf(
  entries: readonly Entry[],
  given: string | undefined,
): { readonly root: string; readonly lines: readonly string[] } {
  const root = given === undefined || given === '' ? rootOf(entries) : `${given}/`;
  const lines: Line[] = [];
  for (const entry of entries) {
    const { verb } = entry;
    const last = lines.at(-1);
    const isShared = last?.verb === verb && quietVerbs.has(verb) && last.objects.length < mostObjects;
    const object = objectOf(entry, root);
    if (isShared) last.objects.push(object);
    else lines.push({ verb, objects: [object] });
  }
  const many = lines.length > mostLines ? lines.length - mostLines / 2 : 0;
  return { root, lines: [...together(lines.slice(0, many)), ...lines.slice(many)].map(written) };
}

/** Lines of one kind as one. */
function together(lines: readonly Line[]): Line[] {
  const byVerb = new Map<string, string[]>();
  for (const { verb, objects } of lines) byVerb.set(verb, [...(byVerb.get(verb) ?? []), ...objects]);
  return [...byVerb].map(([verb, objects]) => ({ verb, objects: objects.slice(-mostTogether) }));
}

function written({ verb, objects }: Line): string {
  if (verb === 'tests') return `last test run: ${objects.join(', ')}`;
  return verb === 'called' ? objects.join(', ') : `${verb} ${objects.join(', ')}`;
}

/** The folder that several absolute paths are in, with a slash at its end; '' if there is none. */
function rootOf(entries: readonly Entry[]): string {
  const paths = entries
    .filter(({ object }) => /^\/[^\s]+$/.test(object))
    .map(({ object }) => object.split('/'));
  const [first = [], ...others] = paths;
  if (others.length === 0) return '';
  let depth = 0;
  while (
    depth < first.length - 1 &&
    others.every((path) => depth < path.length - 1 && path[depth] === first[depth])
  )
    depth += 1;
  return depth < leastDepth ? '' : `${first.slice(0, depth).join('/')}/`;
}

function objectOf({ verb, object: whole, times, failed, outcome }: Entry, root: string): string {
  const object = root !== '' && whole.startsWith(root) ? whole.slice(root.length) : whole;
  if (verb === 'tests') return outcome === '' ? object : `${object}: ${outcome}`;
  const said = outcome === '' ? '' : `: ${outcome}`;
  return `${object}${times > 1 ? ` (${times} times)` : ''}${failed ? ' (failed)' : ''}${said}`;
}

/** The newest plan, and what the agent said last; nothing where people only talk. */
function newest(sections: readonly Section[]): readonly string[] {
  if (sections.every(({ call }) => call === undefined)) return [];
  const plan = sections.findLast(({ call }) => call !== undefined && planOf(call) !== undefined)?.call;
  const said = sections.findLast(({ kind }) => kind === 'assistant')?.blocks[0]?.text.trim();
  return [
    ...(plan === undefined ? [] : [planHeading, ...(planOf(plan) ?? [])]),
    ...(said === undefined || said === '' ? [] : [`${lastSaid}${shortened(said)}`]),
  ];
}

/** A text on one line, cut at the end of a word. */
function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  if (line.length <= longestSaid) return line;
  const end = line.lastIndexOf(' ', longestSaid);
  return `${line.slice(0, end > 0 ? end : longestSaid)} …`;
}
