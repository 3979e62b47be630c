import { element } from '../element.js';
import { formatWhole } from '../number-format.js';
import type { SessionSource } from './session-source.js';

/** Where a text was found. */
export interface Hit {
  /** Position of a message of the session. */
  readonly message?: number;
  /** A message that a candidate made. */
  readonly made?: { readonly candidate: number; readonly made: number };
}

/** Hits that are listed; the others are counted. */
const listed = 60;
/** Characters before and after a hit. */
const around = 60;

/** A field that searches the session and everything that candidates made of it. */
export function searchField(source: SessionSource, goTo: (hit: Hit) => void): HTMLElement {
  const input = element('input', { type: 'search', id: `search-${++fields}`, autocomplete: 'off' });
  const said = element('p', { class: 'note', role: 'status' });
  const list = element('ul', { class: 'hits' });
  const form = element(
    'form',
    { class: 'search' },
    element(
      'div',
      { class: 'field' },
      element('label', { for: input.id }, 'Search the session and all views'),
      input,
    ),
    element('button', { type: 'submit', class: 'push' }, 'Search'),
  );
  let runs = 0;

  async function search(): Promise<void> {
    const run = ++runs;
    const query = input.value.trim();
    list.replaceChildren();
    if (query === '') {
      said.textContent = '';
      return;
    }
    said.textContent = 'Searching …';
    const hits = await hitsOf(query, source);
    if (run !== runs) return;
    said.textContent = `${formatWhole(hits.length)} found${hits.length > listed ? `, the first ${listed} are listed` : ''}.`;
    list.replaceChildren(
      ...hits.slice(0, listed).map(({ hit, where, before, match, after }) => {
        const button = element(
          'button',
          { type: 'button', class: 'hit' },
          element('span', { class: 'tag' }, where),
          element('span', { class: 'snippet' }, before, element('mark', {}, match), after),
        );
        button.addEventListener('click', () => goTo(hit));
        return element('li', {}, button);
      }),
    );
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void search();
  });
  input.addEventListener('search', () => void search());
  return element('div', { class: 'finder' }, form, said, list);
}

let fields = 0;

interface FoundText {
  readonly hit: Hit;
  readonly where: string;
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

/** The first hit in each message, the session's own first. */
async function hitsOf(query: string, source: SessionSource): Promise<FoundText[]> {
  const pattern = new RegExp(query.replace(/[.*+?^$()|{}[\]\\]/g, '\\$&'), 'i');
  const found: FoundText[] = [];
  const look = (text: string, hit: Hit, where: string) => {
    const at = text.search(pattern);
    if (at < 0) return;
    const end = at + query.length;
    found.push({
      hit,
      where,
      before: `${at > around ? '…' : ''}${text.slice(Math.max(0, at - around), at)}`,
      match: text.slice(at, end),
      after: `${text.slice(end, end + around)}${end + around < text.length ? '…' : ''}`,
    });
  };
  const { messages } = await source.texts();
  for (const [at, { text, label }] of messages.entries()) look(text, { message: at }, `${at + 1} · ${label}`);
  for (const [candidate, { candidate: name }] of source.report.candidates.entries()) {
    const { made } = await source.steps(candidate);
    for (const [at, { text, label }] of made.entries())
      look(text, { made: { candidate, made: at } }, `${name} · ${label}`);
  }
  return found;
}
