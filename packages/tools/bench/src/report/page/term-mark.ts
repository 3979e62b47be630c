import { type TermName, terms } from '../terms.js';
import { element } from './element.js';

/** A button that explains a word where it stands: under the pointer, with the focus, and at a touch. */
export function termMark(term: TermName): HTMLElement {
  return element(
    'button',
    { type: 'button', class: 'what', 'data-term': term, 'aria-label': `What is “${term}”?` },
    '?',
  );
}

/** Shows the explanation of the mark that the reader points at, focuses or touches; Escape takes it away. */
export function explainTerms(): void {
  const tip = element('div', { id: 'tip', role: 'tooltip', class: 'tip' });
  tip.hidden = true;
  document.body.append(tip);
  let shownFor: HTMLElement | undefined;

  function show(mark: HTMLElement): void {
    hide();
    shownFor = mark;
    const term = mark.dataset.term as TermName;
    tip.replaceChildren(element('b', {}, term), ` ${terms[term] ?? ''}`);
    tip.hidden = false;
    mark.setAttribute('aria-describedby', tip.id);
    placeBeside(tip, mark);
  }

  function hide(): void {
    shownFor?.removeAttribute('aria-describedby');
    shownFor = undefined;
    tip.hidden = true;
  }

  const markOf = ({ target }: Event) =>
    target instanceof Element ? (target.closest<HTMLElement>('[data-term]') ?? undefined) : undefined;
  const staysOpen = (event: Event) => event.target instanceof Node && tip.contains(event.target);
  document.addEventListener('pointerover', (event) => {
    const mark = event.pointerType === 'mouse' ? markOf(event) : undefined;
    if (mark !== undefined) show(mark);
    else if (event.pointerType === 'mouse' && !staysOpen(event) && shownFor !== document.activeElement)
      hide();
  });
  document.addEventListener('focusin', (event) => {
    const mark = markOf(event);
    if (mark !== undefined) show(mark);
    else hide();
  });
  document.addEventListener('focusout', hide);
  document.addEventListener('click', (event) => {
    const mark = markOf(event);
    if (mark === undefined) {
      if (!staysOpen(event)) hide();
      return;
    }
    event.preventDefault();
    show(mark);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hide();
  });
  const follow = () => {
    if (shownFor !== undefined) placeBeside(tip, shownFor);
  };
  document.addEventListener('scroll', follow, { capture: true, passive: true });
}

/** Puts an explanation below its mark, or above it where there is no room, inside the window. */
function placeBeside(tip: HTMLElement, mark: HTMLElement): void {
  const [at, size] = [mark.getBoundingClientRect(), tip.getBoundingClientRect()];
  const room = document.documentElement.clientWidth - size.width - margin;
  tip.style.left = `${Math.max(margin, Math.min(room, at.left - margin))}px`;
  const below = at.bottom + gap;
  const fitsBelow = below + size.height < document.documentElement.clientHeight;
  tip.style.top = `${fitsBelow ? below : Math.max(margin, at.top - gap - size.height)}px`;
}

/** Pixels between the explanation and the window's edge, and between it and its mark. */
const margin = 8;
const gap = 4;
