import type { PassageFilter } from '../store.js';
import { storedPath } from '../stored-form.js';

/** What a filter is as conditions of SQL on the passages `p`, each with `and` before it. */
export function conditions({ kinds, path, since }: PassageFilter): {
  where: string;
  values: (string | number)[];
} {
  const parts: string[] = [];
  const values: (string | number)[] = [];
  if (kinds !== undefined) {
    parts.push(` and p.kind in (${kinds.map(() => '?').join(', ')})`);
    values.push(...kinds);
  }
  if (path !== undefined) {
    parts.push(' and instr(p.path, ?) > 0');
    values.push(storedPath(path));
  }
  if (since !== undefined) {
    parts.push(' and p.time >= ?');
    values.push(since);
  }
  return { where: parts.join(''), values };
}
