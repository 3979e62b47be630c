export type Cell = string | number;

/** A Markdown table with numbers aligned right and texts left. */
export function markdownTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cells = [head, ...rows.map((row) => row.map(String))];
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  const right = head.map((_, column) => rows.length > 0 && rows.every((row) => isFigure(row[column])));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (right[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, column) =>
    right[column] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  );
  return [line(head), line(rule), ...cells.slice(1).map(line)].join('\n');
}

function isFigure(cell: Cell | undefined): boolean {
  return typeof cell === 'number' || /^[\d.,<>–—%× -]+( (ms|µs|%))?$/.test(cell ?? '');
}
