import type { CandidateSteps, SessionReport, SessionTexts } from '../../session-data.js';
import { element } from '../element.js';
import { formatShare, formatWhole } from '../number-format.js';
import { messageRow } from './message-row.js';
import { seenList } from './seen-list.js';
import { shownIn } from './views.js';

/** Everything that is known of one step of a replay. */
export interface Step {
  readonly report: SessionReport;
  readonly texts: SessionTexts;
  readonly steps: CandidateSteps;
  readonly view: readonly number[];
  /** Position of the request. */
  readonly at: number;
  /** Goes to the place where a message was said. */
  goTo(message: number): void;
}

/** What the model saw at a step, what it needed and did not have, what it said, and the cost so far. */
export function stepPanel(step: Step): HTMLElement[] {
  const { report, texts, steps, view, at } = step;
  const said = report.requests[at] ?? 0;
  const shown = shownIn(view, said, texts, steps);
  const uses = texts.uses[at] ?? [];
  const missed = new Set(steps.missed[at] ?? []);
  const answer = texts.messages[said];
  return [
    facts(step, shown.filter(({ kind }) => kind !== 'left-out').length),
    block(
      `Needed and not there: ${missed.size}`,
      missed.size === 0
        ? element('p', { class: 'note' }, wordsOfNone(uses.length))
        : element('ul', { class: 'atoms' }, ...[...missed].map((use) => atomItem(uses[use], step))),
      missed.size === 0 ? '' : 'missing',
    ),
    ...(uses.length > missed.size
      ? [
          element(
            'details',
            { class: 'block' },
            element('summary', {}, `Needed and there: ${uses.length - missed.size}`),
            element(
              'ul',
              { class: 'atoms' },
              ...uses.flatMap((use, nth) => (missed.has(nth) ? [] : [atomItem(use, step)])),
            ),
          ),
        ]
      : []),
    ...(answer === undefined ? [] : [block('What the agent answered', messageRow(answer, { number: said }))]),
    block('What the model saw', seenList(shown, texts)),
  ];
}

function wordsOfNone(uses: number): string {
  return uses === 0
    ? 'The answer uses no name, path or number that was said before.'
    : 'Everything that the answer uses was there.';
}

function facts({ report, texts, steps, at, view }: Step, count: number): HTMLElement {
  const said = report.requests[at] ?? 0;
  const cost = steps.costs[at] ?? 0;
  const whole = texts.costs[at] ?? 0;
  const tokens = view.reduce(
    (sum, id) => sum + ((id >= 0 ? texts.messages[id] : steps.made[-1 - id])?.tokens ?? 0),
    0,
  );
  const before = texts.messages.slice(0, said).reduce((sum, one) => sum + one.tokens, 0);
  const isRewrite = at > 0 && (steps.views[at]?.[0] ?? 0) < lengthBefore(steps, at);
  const fact = (name: string, value: string) =>
    element('div', {}, element('dt', {}, name), element('dd', {}, value));
  return element(
    'dl',
    { class: 'step-facts' },
    fact('Tokens seen', `${formatWhole(tokens)} of ${formatWhole(before)}`),
    fact('Messages seen', `${formatWhole(count)} of ${formatWhole(said)}`),
    fact(
      'Cost so far',
      `${formatWhole(cost)} tokens, ${formatShare(whole > 0 ? cost / whole : 1)} of everything`,
    ),
    fact('This request', isRewrite ? 'a rewrite' : at === 0 ? 'the first' : 'goes on from the one before'),
  );
}

/** Messages of the view before a step. */
function lengthBefore({ views }: CandidateSteps, at: number): number {
  let length = 0;
  for (const view of views.slice(0, at)) length = (view[0] ?? 0) + view.length - 1;
  return length;
}

function atomItem(use: readonly [string, number] | undefined, { texts, goTo }: Step): HTMLElement {
  const [atom = '', heldAt = 0] = use ?? [];
  const button = element('button', { type: 'button', class: 'link' }, `message ${heldAt + 1}`);
  button.addEventListener('click', () => goTo(heldAt));
  const line = texts.messages[heldAt]?.text.split('\n').find((one) => one.includes(atom)) ?? '';
  const said = line === '' ? [] : [element('code', { class: 'said-line' }, clipped(line, atom))];
  return element('li', {}, element('code', {}, atom), ', last said in ', button, ...said);
}

/** Characters of a line around a name. */
const aroundAtom = 80;

function clipped(line: string, atom: string): string {
  const at = line.indexOf(atom);
  const from = Math.max(0, at - aroundAtom);
  const to = Math.min(line.length, at + atom.length + aroundAtom);
  return `${from > 0 ? '…' : ''}${line.slice(from, to).trim()}${to < line.length ? '…' : ''}`;
}

function block(title: string, body: HTMLElement, kind = ''): HTMLElement {
  return element('div', { class: `block ${kind}` }, element('h3', {}, title), body);
}
