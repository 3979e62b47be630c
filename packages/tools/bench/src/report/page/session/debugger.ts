import type { CandidateSteps, SessionTexts } from '../../session-data.js';
import { choice } from '../choice.js';
import { element } from '../element.js';
import { onResize } from '../on-resize.js';
import { type Hit, searchField } from './search.js';
import type { SessionSource } from './session-source.js';
import { stepPanel } from './step-panel.js';
import { stepSlider } from './step-slider.js';
import { stepStrip } from './step-strip.js';
import { viewsOf } from './views.js';

/** The candidate that is looked at first: what a user gets without choosing. */
const usual = 'default pipeline';

/** What is unpacked of the candidate that is looked at. */
interface Looked {
  readonly candidate: number;
  readonly texts: SessionTexts;
  readonly steps: CandidateSteps;
  readonly views: readonly (readonly number[])[];
}

/** Steps through a session's requests: what the model saw with a candidate, and what it needed and did not have. */
export async function mountDebugger(root: HTMLElement, source: SessionSource): Promise<void> {
  const { report } = source;
  const names = report.candidates.map(({ candidate }) => candidate);
  const candidate = choice('Candidate', names, () => void look(candidate.value()));
  const chart = element('div', { class: 'strip-place' });
  const panel = element('div', { class: 'step-panel' });
  let looked: Looked | undefined;
  let at = Math.max(0, report.requests.length - 1);
  let width = 0;
  let strip: ReturnType<typeof stepStrip> | undefined;
  const slider = stepSlider(report.requests.length, show, {
    'Next with something missing': (from) =>
      next(from, (step) => (looked?.steps.missed[step]?.length ?? 0) > 0),
    'Next rewrite': (from) => next(from, (step) => isRewrite(step)),
  });

  function next(from: number, fits: (step: number) => boolean): number | undefined {
    const found = report.requests.findIndex((_, step) => step > from && fits(step));
    return found < 0 ? undefined : found;
  }

  function isRewrite(step: number): boolean {
    return step > 0 && (looked?.steps.views[step]?.[0] ?? 0) < (looked?.views[step - 1]?.length ?? 0);
  }

  /** Texts are unpacked here, so a choice made meanwhile wins. */
  let asked = 0;
  async function look(chosen: number): Promise<void> {
    const ask = ++asked;
    candidate.choose(chosen);
    const [texts, steps] = await Promise.all([source.texts(), source.steps(chosen)]);
    if (ask !== asked) return;
    looked = { candidate: chosen, texts, steps, views: viewsOf(steps) };
    draw();
    show(at);
  }

  function draw(): void {
    if (looked === undefined || width === 0) return;
    strip = stepStrip(report, looked.candidate, looked.steps, width);
    strip.mark(at);
    chart.replaceChildren(strip.root);
  }

  function show(step: number): void {
    if (looked === undefined) return;
    at = step;
    slider.set(at);
    strip?.mark(at);
    const { texts, steps, views } = looked;
    panel.replaceChildren(
      ...stepPanel({
        report,
        texts,
        steps,
        view: views[at] ?? [],
        at,
        goTo: (message) => open(`said-${message}`),
      }),
    );
  }

  async function goTo({ message, made }: Hit): Promise<void> {
    if (made !== undefined) {
      await look(made.candidate);
      const id = -1 - made.made;
      const step = looked?.views.findIndex((view) => view.includes(id)) ?? -1;
      if (step >= 0) show(step);
      open(`made-${made.made}`);
    } else if (message !== undefined) {
      const step = report.requests.findIndex((request) => request > message);
      show(step < 0 ? report.requests.length - 1 : step);
      open(`said-${message}`);
    }
  }

  /** Opens the row of a message, also if it is in a run of those left out or among the earlier rows. */
  function open(row: string): void {
    panel.querySelector<HTMLElement>('.more')?.click();
    const position = Number(/^said-(\d+)$/.exec(row)?.[1] ?? Number.NaN);
    for (const run of panel.querySelectorAll<HTMLDetailsElement>('.left-out'))
      if (Number(run.dataset.from) <= position && position <= Number(run.dataset.to)) opened(run);
    const found = panel.querySelector<HTMLDetailsElement>(`[data-row="${row}"]`);
    if (found === null) return;
    opened(found);
    found.querySelector('summary')?.focus();
    found.scrollIntoView({ block: 'nearest' });
  }

  chart.addEventListener('pointerdown', (event) => {
    if (strip !== undefined) show(strip.stepAt(event.clientX - chart.getBoundingClientRect().left));
  });
  root.append(
    element(
      'div',
      { class: 'card' },
      element(
        'div',
        { class: 'controls' },
        candidate.field,
        searchField(source, (hit) => void goTo(hit)),
      ),
      chart,
      slider.root,
      panel,
    ),
  );
  onResize(chart, (now) => {
    width = now;
    draw();
  });
  await look(Math.max(0, names.indexOf(usual)));
}

/** Opens a row and fills it now; its own event comes later. */
function opened(row: HTMLDetailsElement): void {
  row.open = true;
  row.dispatchEvent(new Event('toggle'));
}
