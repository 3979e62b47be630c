import { isFields } from '@ctx/core/codec';
import { type ExcerptSection, trailHeading } from '../excerpt-text.js';
import { rootLine, withinRoot } from '../root-folder.js';
import type { Section } from '../sections.js';
import { sizes } from '../weights.js';
import { actionsOf, type ToolActions } from './action.js';
import { type Action, checkKinds } from './command.js';
import { byUser, failureOf, outputOf, summaryOf } from './outcome.js';
import { planHeadings, planIn } from './plan.js';
import { planLine } from './plan-items.js';
import { shortened } from './shortened.js';

/** Actions that outlive the plan. */
const mostLasting = 3;
/** Objects in a line, and reasons why something failed. */
const mostTogether = 30;
const mostFailed = 4;
/** What is done to files and by commands says enough by itself: its results are not shown, and neighbours share a line. */
const quiet = /^(?:edited|wrote|deleted|moved|committed|ran|failed:)$/;
const earlier = 'earlier, not listed: ';
const lastAsked = 'the agent asked: ';
const lastSaid = 'the agent said last: ';
/** Lines of an earlier trail that were about that moment. */
const passing = [...planHeadings, earlier, lastSaid];
/** A call that goes on in the background, with its number, and one that says that it still does. */
const background = /running (?:in (?:the )?background )?with (?:session )?id:? ?(\w+)/i;
const stillRunning = /<status>running|process running|still running/i;

export interface TrailOptions {
  /** All sections of the conversation up to the last of these, if nothing was said after them but what stays: the newest plan may be older than they are. */
  readonly all?: readonly Section[] | undefined;
  /** Sections after these that stay in the view: what they show is not told. @default none */
  readonly later?: readonly Section[] | undefined;
  /** The folder from which on paths are written, without a slash at its end. @default '' */
  readonly root?: string | undefined;
  /** Whether no other trail stands before it, which would name the folder. @default true */
  readonly isFirst?: boolean | undefined;
  /** What the host says that its tools do. */
  readonly actions?: ToolActions | undefined;
  /** Whether there is room for a text. */
  fits(text: string): boolean;
}

interface Entry extends Action {
  readonly times: number;
  readonly outcome: string;
}

/**
 * What was done, as a section of a few lines that no target is too small for: what changed the world, in the order in which each thing
 * was last changed; what failed and was not repaired; the newest run of each kind of check as it summed itself up; the newest plan; what the
 * agent asked or said last.
 * @param sections in order
 */
export function trailOf(
  sections: readonly Section[],
  { all, actions = {}, fits, isFirst = true, later = [], root = '' }: TrailOptions,
): ExcerptSection | undefined {
  const newer = new Set(
    later.flatMap(({ call }) => (call === undefined ? [] : actionsOf(call, actions))).map(({ verb }) => verb),
  );
  // A check that ran again since is told by its result.
  const done = entriesOf(sections, actions).filter(({ verb }) => !(checkKinds.has(verb) && newer.has(verb)));
  const shownPlan = all && planIn(all, later);
  const plan = (shownPlan?.lines ?? []).map((object) => ({ verb: 'plan', object, times: 1, outcome: '' }));
  const isLast = !later.some(({ kind }) => kind === 'assistant');
  const words = lastWords(sections, all).filter((line) => isLast || !line.startsWith(lastSaid));
  const said = words.map((object) => ({ verb: 'said', object, times: 1, outcome: '' }));
  const newest = new Set<Entry>(done.slice(-mostLasting));
  const lasting = (entry: Entry) => {
    const { verb, object, outcome } = entry;
    if (verb === 'said') return object.startsWith(lastSaid) ? 2 : 5;
    if (verb === 'plan') return object.startsWith('[x]') ? 1 : 4;
    return newest.has(entry) ? 3 : outcome.includes(byUser) ? 2 : 0;
  };
  // In the order in which they are left out where there is no room.
  const order: Entry[] = [...done, ...plan, ...said];
  order.sort((one, another) => lasting(one) - lasting(another));
  const textOf = (gone: number) => {
    const left = new Set<Entry>(order.slice(0, gone));
    const stays = (entry: Entry) => !left.has(entry);
    const kept = done.filter(stays);
    const items = plan.filter(stays);
    const lines = writtenIn(kept, root);
    if (root !== '' && (kept.length > 0 || isFirst)) lines.unshift(rootLine(root));
    if (kept.length < done.length && gone < order.length)
      lines.unshift(`${earlier}${countsOf(done.filter((entry) => left.has(entry)))}`);
    if (items.length > 0) lines.push(shownPlan?.heading ?? '');
    if (items.length > 0 && items.length < plan.length)
      lines.push(`(${plan.length - items.length} more, mostly done)`);
    return [...lines, ...[...items, ...said.filter(stays)].map(({ object }) => object)].join('\n');
  };
  // Counting is dear, so not every state is counted.
  let [low, high] = fits(textOf(0)) ? [0, 0] : [1, order.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(textOf(middle))) high = middle;
    else low = middle + 1;
  }
  const text = textOf(low);
  return text === '' || (low === order.length && !fits(text)) ? undefined : { heading: trailHeading, text };
}

/** What was done last to each thing, in order. */
function entriesOf(sections: readonly Section[], told: ToolActions): Entry[] {
  const entries = new Map<string, Entry>();
  const running = new Map<string, Action>();
  const put = (key: string, entry: Omit<Entry, 'times'>) => {
    const times = (entries.get(key)?.times ?? 0) + 1;
    entries.delete(key);
    entries.set(key, { ...entry, times });
  };
  for (const section of sections) {
    const { call, heading, blocks } = section;
    if (heading === trailHeading)
      for (const line of blocks.flatMap(({ text }) => text.split('\n')))
        if (line !== '' && !planLine.test(line) && !passing.some((words) => line.startsWith(words)))
          put(`line ${entries.size}`, { verb: '', object: line, outcome: '' });
    if (call === undefined) continue;
    const beginning = outputOf(section).slice(0, sizes.line);
    const ids = Object.values(isFields(call.input) ? call.input : {}).filter(
      (value) => typeof value !== 'object',
    );
    const named = running.get(ids.map(String).find((id) => running.has(id)) ?? '');
    const resumed = stillRunning.test(beginning) ? undefined : named;
    const actions = resumed === undefined ? actionsOf(call, told) : [resumed];
    const failure = failureOf(section);
    // A check says itself how it ended; what was before it worked.
    const checked = actions.findLastIndex(({ verb }) => checkKinds.has(verb));
    for (const [at, action] of actions.entries()) {
      const { verb, object } = action;
      const subject =
        verb === 'ran' ? object.split(' ', 2).join(' ') : verb === 'committed' ? 'git commit' : object;
      if (failure !== undefined && at > checked) {
        const isNamed = verb === 'ran' || verb === 'committed' || verb === 'called';
        put(failure.startsWith(byUser) ? `${failure} ${object}` : `failed ${subject}`, {
          verb: 'failed:',
          object: verb === 'committed' ? `git commit ${object}` : object,
          outcome: isNamed ? failure : `${call.toolName}: ${failure}`,
        });
      } else if (checkKinds.has(verb)) {
        const [, id] = background.exec(beginning) ?? [];
        if (id !== undefined) running.set(id, action);
        const summary = id === undefined ? summaryOf(section) : 'started in the background';
        const last = actions[checked] as Action;
        put(verb, {
          ...action,
          outcome: at < checked && last.verb !== verb ? `see the run of ${last.verb}` : summary,
        });
      } else {
        entries.delete(`failed ${subject}`);
        put(`${verb} ${object}`, { ...action, outcome: quiet.test(verb) ? '' : resultOf(section, verb) });
      }
    }
  }
  return [...entries.values()];
}

function resultOf(section: Section, verb: string): string {
  const [first = '', ...more] = outputOf(section).trim().split('\n');
  const saysNothing = /^(?:\(no output\)|no output|ok)?$/i.test(first);
  return verb === 'asked' || (more.length === 0 && !saysNothing) ? shortened(first, sizes.line) : '';
}

/** Writes entries in order; neighbours of one kind share a line, and those that failed together their reason. */
function writtenIn(entries: readonly Entry[], root: string): string[] {
  const lines: { readonly verb: string; readonly groups: { outcome: string; objects: string[] }[] }[] = [];
  const lastEdit = entries.findLastIndex(({ verb }) => verb === 'edited' || verb === 'wrote');
  for (const [at, { verb, object: said, times, outcome }] of entries.entries()) {
    const whole = checkKinds.has(verb) && at < lastEdit ? `${said}, before the newest edits` : said;
    const object = `${withinRoot(whole, root)}${times > 1 && !checkKinds.has(verb) ? ` (${times} times)` : ''}`;
    const line = quiet.test(verb) && lines.at(-1)?.verb === verb ? lines.at(-1) : undefined;
    const group = line?.groups.at(-1);
    if (group !== undefined && group.outcome === outcome) group.objects.push(object);
    else if (line !== undefined) line.groups.push({ outcome, objects: [object] });
    else lines.push({ verb, groups: [{ outcome, objects: [object] }] });
  }
  return lines.map(({ verb, groups }) => {
    const texts = groups.map(({ outcome, objects }) => {
      const named = newestOf(objects, mostTogether);
      if (checkKinds.has(verb))
        return `last run of ${verb} (${named})${outcome === '' ? '' : `: ${outcome}`}`;
      return outcome === '' ? named : verb === 'failed:' ? `${named} (${outcome})` : `${named}: ${outcome}`;
    });
    const shown = newestOf(texts, verb === 'failed:' ? mostFailed : mostTogether);
    return verb === '' || verb === 'called' || checkKinds.has(verb) ? shown : `${verb} ${shown}`;
  });
}

function newestOf(texts: readonly string[], most: number): string {
  const more = texts.length > most ? ` and ${texts.length - most} more` : '';
  return `${texts.slice(-most).join(', ')}${more}`;
}

/** How much there is of each kind, as `14 edited, 2 ran`. */
function countsOf(entries: readonly Entry[]): string {
  const counts = new Map<string, number>();
  for (const { verb } of entries) counts.set(verb, (counts.get(verb) ?? 0) + 1);
  return [...counts].map(([verb, count]) => `${count} ${verb.replace(':', '') || 'lines'}`).join(', ');
}

/** The question that the user answered or has to answer, or what the agent said last; nothing where people only talk. */
function lastWords(sections: readonly Section[], all: readonly Section[] = sections.slice(-1)): string[] {
  const textOf = (at: number) => all[at]?.blocks[0]?.text ?? '';
  if ([...sections, ...all].every(({ call }) => call === undefined)) return [];
  const answer =
    sections.at(-1)?.kind === 'assistant' ? all.length : all.findLastIndex(({ kind }) => kind === 'user');
  const said = all.findLastIndex(({ kind }) => kind === 'assistant');
  const question = said >= 0 && all[answer - 1]?.kind === 'assistant' ? questionIn(textOf(answer - 1)) : '';
  const last =
    all.length === 1 || (question !== '' && said === answer - 1) ? '' : shortened(textOf(said), sizes.line);
  return [
    ...(question === '' ? [] : [`${lastAsked}${question}`]),
    ...(question === '' || answer === all.length
      ? []
      : [`the user answered: ${shortened(textOf(answer), sizes.line)}`]),
    ...(last === '' ? [] : [`${lastSaid}${last}`]),
  ];
}

/** The question that a text ends with, with what is just before and after it, such as answers to choose from; '' if there is none. */
function questionIn(text: string): string {
  const end = text.trimEnd().slice(-2 * sizes.line);
  const mark = [...`${end} `.matchAll(/\?[*"')]*\s/g)].at(-1)?.index;
  if (mark === undefined) return '';
  const asked = end.slice(Math.max(0, mark - sizes.line));
  return shortened(mark > sizes.line ? asked.replace(/^.*?(?:[.!?:] |\n)/, '') : asked, 2 * sizes.line);
}
