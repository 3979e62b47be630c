import type { Fields, Finding, Rules } from '@ctx/core/codec';
import { callForm } from './call-forms.js';
import { roleOf } from './item-kind.js';
import { callField, outputForm } from './output-forms.js';

/** Items that have to stay together. */
export const pairRules: Rules<readonly Fields[]> = {
  /** "No tool output found for function call call_…." The API runs what needs approval by itself. */
  'call-has-output': (items) =>
    [...paired(items).open]
      .filter(([, { type }]) => type !== 'mcp_approval_request')
      .map(([id, { index }]) => ({ index, detail: `The call "${id}" has no output.` })),

  /** "No tool call found for function call output with call_id call_…." The call may be in a referenced item. */
  'output-has-call': (items) =>
    paired(items).orphans.filter(({ index }) => !items.slice(0, index).some(isReference)),

  /** A call has one output. */
  'output-once': (items) => paired(items).again,

  /** An output finds its call by the id, so the ids of calls that wait must differ. A later call may use one again. */
  'call-id-unique': (items) => paired(items).twice,

  /** "Item 'rs_…' of type 'reasoning' was provided without its required following item." */
  'reasoning-has-item': (items) =>
    items.flatMap(({ type }, index) => {
      const next = items[index + 1];
      const follows = next !== undefined && roleOf(next, '') === 'assistant' && next.type !== 'compaction';
      return type === 'reasoning' && !follows
        ? [{ index, detail: 'The item that the reasoning led to does not follow it.' }]
        : [];
    }),
};

interface Pairs {
  /** The calls that wait for an output, by their ids. */
  readonly open: ReadonlyMap<string, { readonly index: number; readonly type: unknown }>;
  readonly orphans: readonly Finding[];
  readonly again: Finding[];
  readonly twice: Finding[];
}

function paired(items: readonly Fields[]): Pairs {
  const open = new Map<string, { index: number; type: unknown }>();
  const [orphans, again, twice]: Finding[][] = [[], [], []] as Finding[][];
  const answered = new Set<string>();
  const callOf = new Map<unknown, string>();
  items.forEach((item, index) => {
    const call = callForm(item);
    if (call !== undefined) {
      const id = String(item[call.id]);
      if (item.type === 'local_shell_call') callOf.set(item.id, id);
      if (open.has(id)) twice?.push({ index, detail: `Two calls have the id "${id}".` });
      open.set(id, { index, type: item.type });
    }
    const id = answeredId(item, callOf);
    if (id === undefined) return;
    if (!open.delete(id)) {
      if (answered.has(id)) again?.push({ index, detail: `The call "${id}" is answered twice.` });
      else orphans?.push({ index, detail: `No call before it has the id "${id}".` });
    }
    answered.add(id);
  });
  return { open, orphans: orphans ?? [], again: again ?? [], twice: twice ?? [] };
}

function answeredId(item: Fields, callOf: ReadonlyMap<unknown, string>): string | undefined {
  const form = outputForm(item);
  if (form === undefined) return undefined;
  const field = callField(item, form);
  return field === 'id' ? (callOf.get(item.id) ?? String(item.id)) : String(item[field]);
}

function isReference(item: Fields): boolean {
  return item.type === 'item_reference' || (item.type === undefined && item.role === undefined);
}
