import type { ReportReplay } from '../report-data.js';
import { checkboxes, choice } from './choice.js';
import { curveChart } from './curve-chart.js';
import { element } from './element.js';
import { figureTable } from './figure-table.js';
import { grouped } from './grouped.js';
import { formatWhole } from './number-format.js';
import { onResize } from './on-resize.js';
import { lineSample, type SeriesLook } from './series-look.js';

/** Shows the tokens of each request of a replayed session, a line for each candidate. */
export function mountCurves(
  root: HTMLElement,
  replays: readonly ReportReplay[],
  looks: ReadonlyMap<string, SeriesLook>,
): void {
  const titleOf = ({ session, source }: ReportReplay) => `${session} (${source})`;
  const sessions = grouped(replays, titleOf);
  const hidden = hiddenAtFirst(replays);
  const session = choice(
    'Session',
    sessions.map(([title]) => title),
    chooseSession,
  );
  const limit = choice('Limit', [], chooseLimit);
  const checks = element('div');
  const chart = element('div', { class: 'chart' });
  const table = element('div');
  let width = 0;

  const limits = () => [...new Set((sessions[session.value()]?.[1] ?? []).map((replay) => replay.limit))];
  const chosen = () => {
    const tokens = limits()[limit.value()];
    return (sessions[session.value()]?.[1] ?? []).filter((replay) => replay.limit === tokens);
  };

  function chooseSession(): void {
    limit.setOptions(limits().map((tokens) => `${formatWhole(tokens)} tokens`));
    chooseLimit();
  }

  function chooseLimit(): void {
    const names = chosen().map(({ candidate }) => candidate);
    const sample = (name: string) => {
      const look = looks.get(name);
      return look ? [lineSample(look)] : [];
    };
    checks.replaceChildren(checkboxes('Candidates', names, hidden, draw, sample));
    table.replaceChildren(figuresOf(chosen()));
    draw();
  }

  function draw(): void {
    const shown = chosen().filter(({ candidate }) => !hidden.has(candidate));
    if (width > 0) chart.replaceChildren(curveChart(shown, limits()[limit.value()] ?? 0, width, looks));
  }

  root.append(
    element(
      'div',
      { class: 'card' },
      element('div', { class: 'controls' }, session.field, limit.field, checks),
      chart,
      element('details', {}, element('summary', {}, 'The figures of this chart'), table),
    ),
  );
  chooseSession();
  onResize(chart, (next) => {
    width = next;
    draw();
  });
}

/** Lines that can be told apart in one chart; the reader may check more. */
const shownAtFirst = 5;

/** All but those that miss least, over all sessions and limits. */
function hiddenAtFirst(replays: readonly ReportReplay[]): Set<string> {
  const means = grouped(replays, ({ candidate }) => candidate).map(([candidate, own]) => ({
    candidate,
    misses:
      own.reduce((sum, { missRate }) => sum + (Number.isFinite(missRate) ? missRate : 1), 0) / own.length,
  }));
  const order = means.toSorted((a, b) => a.misses - b.misses);
  return new Set(order.slice(shownAtFirst).map(({ candidate }) => candidate));
}

function figuresOf(replays: readonly ReportReplay[]): HTMLElement {
  return figureTable({
    title: 'Figures of the tokens',
    sortedBy: 1,
    columns: [
      { title: 'Candidate', term: 'candidate' },
      { title: 'Missing, %', term: 'missing', better: 'less' },
      { title: 'Cost', term: 'cost', better: 'less' },
      { title: 'Rewrites', term: 'rewrites', better: 'less' },
      { title: 'Requests', term: 'requests' },
      { title: 'Largest', term: 'largest' },
      { title: 'Mean', term: 'tokens' },
      { title: 'Too large', term: 'too large', better: 'less' },
    ],
    rows: replays.map(({ candidate, tokens, limit, missRate, cost, rewrites }) => ({
      isRanked: true,
      cells: [
        candidate,
        Number.isFinite(missRate) ? Number((missRate * 100).toFixed(1)) : null,
        Number.isFinite(cost) ? Number(cost.toFixed(2)) : null,
        rewrites,
        tokens.length,
        tokens.reduce((high, next) => Math.max(high, next), 0),
        Math.round(tokens.reduce((sum, next) => sum + next, 0) / Math.max(1, tokens.length)),
        tokens.filter((next) => next > limit).length,
      ],
    })),
  });
}
