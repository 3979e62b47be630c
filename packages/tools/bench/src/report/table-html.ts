import type { Table } from '../table-cells.js';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as HTML that shows it. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? '');

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

/** What the words of the pages mean, each in a sentence or two. */
const terms: Readonly<Record<string, string>> = {
  candidate:
    'A way to make a conversation smaller: a strategy of ctx, a method of another library, or a simple method to compare with. A “control” is useless on purpose, and an “oracle” knows the future.',
  'usable-ctx':
    'Of the names, paths and numbers that the agent used in its next 40 messages and could only know from before, the share that is left, with 24 characters on either side. It counts as 0 if the result is too large or a provider would refuse it.',
  line: 'Like “usable-ctx”, but the whole line must be left in which the name or number was said.',
  passage: 'Like “line”, but the line before it and the line after it must be left too.',
  grounded:
    'Like “usable-ctx”, but a reader must also be able to see who said it, or which call returned it.',
  far: 'Of what was last said before the newest 30 % of the conversation, the share that is left. The newest messages stay under every method, so this tells methods apart.',
  instructions: 'The share of the user’s messages that is left word for word.',
  'in budget': 'The share of results that are not larger than asked for.',
  valid: 'The share of results that OpenAI and Anthropic would accept as they are.',
  ms: 'The time of one compression in milliseconds, without counting tokens.',
  misses:
    'Of the names, paths and numbers that the agent used and had seen before, the share that was not in the request at that moment. Less is better. “Passage misses” also count what is there without the lines around it.',
  cost: 'The price of all input with prompt caching: what a request shares with the start of the one before costs a tenth, the rest 1.25. 1 is what it costs to send everything.',
  rewrites:
    'Requests that do not begin with all of the request before. Each makes the provider read the conversation anew, so fewer are better.',
  overflows: 'Requests that are larger than the limit: a provider would refuse them.',
  invalid: 'Requests that Anthropic would refuse for their form, such as a result without its call.',
};

/** What the words of the tables and of the steps mean. */
export function termsHtml(): string {
  const entries = Object.entries(terms).map(
    ([term, meaning]) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(meaning)}</dd>\n`,
  );
  return `<details class="terms"><summary>What the words mean</summary><dl>\n${entries.join('')}</dl></details>\n`;
}
