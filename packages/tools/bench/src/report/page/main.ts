/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { PageData } from '../page-shell.js';
import { mountComparison } from './session/compare.js';
import { mountDebugger } from './session/debugger.js';
import { packedSource } from './session/session-source.js';
import { mountTables } from './table-choice.js';
import { explainTerms } from './term-mark.js';

const json = document.getElementById('report-data')?.textContent ?? 'null';
const { tables, session }: PageData = JSON.parse(json) ?? {};
for (const root of document.querySelectorAll<HTMLElement>('[data-mount]')) {
  const id = root.dataset.mount ?? '';
  if (tables && id === 'scores') mountTables(root, tables);
  else if (session && id === 'steps') void mountDebugger(root, packedSource(session));
  else if (session && id === 'compare') mountComparison(root, session);
}
explainTerms();
