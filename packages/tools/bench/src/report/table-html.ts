import type { Table } from '../table-cells.js';
import { escapeHtml } from './escape-html.js';

/** Tables as HTML, those that the terminal and Markdown have. The first cell of a row names it. */
export function tablesHtml(tables: readonly Table[]): string {
  return tables.map(tableHtml).join('');
}

function tableHtml({ title, columns, rows }: Table): string {
  const name = escapeHtml(title);
  const head = columns.map((column) => `<th scope="col">${escapeHtml(column)}</th>`).join('');
  const body = rows.map(([first = '', ...cells]) => {
    const figures = cells.map((cell) => `<td>${escapeHtml(String(cell))}</td>`).join('');
    return `<tr><th scope="row">${escapeHtml(String(first))}</th>${figures}</tr>\n`;
  });
  return `<div class="card scroll" role="region" aria-label="${name}" tabindex="0"><table>
<caption>${name}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${body.join('')}</tbody>
</table></div>
`;
}

/** What the words of the tables and of the steps mean. */
export function termsHtml(terms: Readonly<Record<string, string>>): string {
  const entries = Object.entries(terms).map(
    ([term, meaning]) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(meaning)}</dd>\n`,
  );
  return `<details class="terms"><summary>What the words mean</summary><dl>\n${entries.join('')}</dl></details>\n`;
}
