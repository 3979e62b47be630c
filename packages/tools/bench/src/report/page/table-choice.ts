import type { ReportTable } from '../report-data.js';
import { choice } from './choice.js';
import { element } from './element.js';
import { figureTable } from './figure-table.js';

/** Shows the tables, those of one title in one place with a choice. */
export function mountTables(root: HTMLElement, tables: readonly ReportTable[]): void {
  for (const title of new Set(tables.map((one) => one.title))) {
    const variants = tables.filter((one) => one.title === title);
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
