import type { ReportTable } from '../report-data.js';
import { choice } from './choice.js';
import { element } from './element.js';
import { figureTable } from './figure-table.js';
import { grouped } from './grouped.js';

/** Shows the tables, those of one title in one place with a choice. */
export function mountTables(root: HTMLElement, tables: readonly ReportTable[]): void {
  for (const [, variants] of grouped(tables, ({ title }) => title)) {
    const place = element('div');
    const show = () => {
      const table = variants[select?.value() ?? 0];
      if (table !== undefined) place.replaceChildren(figureTable(table));
    };
    const names = variants.map(({ variant }, at) => variant ?? String(at + 1));
    const select = variants.length > 1 ? choice(variants[0]?.choice ?? 'Table', names, show) : undefined;
    const controls = select === undefined ? [] : [element('div', { class: 'controls above' }, select.field)];
    root.append(element('div', { class: 'card' }, ...controls, place));
    show();
  }
}
