import { isFields } from '../base/native.js';
import { type Edit, isResolved, type ResolvedEdit } from './edit.js';

/** The form of an edit, resolved or not, as a strategy may return it. */
export function isEdit(value: unknown): value is Edit {
  try {
    if (!isFields(value) || typeof value.type !== 'string') return false;
    return !isResolved(value as Edit) || plainEdit(value) !== undefined;
  } catch {
    return false;
  }
}

/**
 * The edit as data of its own, each field read once: whoever made it can't change it later. Undefined where it is not of the documented form.
 * By hand, because a schema takes longer than everything else that is done with an edit.
 */
export function plainEdit(value: unknown): ResolvedEdit | undefined {
  try {
    if (!isFields(value)) return undefined;
    const { type, reason } = value;
    if (typeof reason !== 'string') return undefined;
    switch (type as ResolvedEdit['type']) {
      case 'drop': {
        const messages = idsOf(value.messages);
        return messages && { type: 'drop', messages, reason };
      }
      case 'drop-calls': {
        const [messages, calls] = [idsOf(value.messages), idsOf(value.calls)];
        return messages && calls && { type: 'drop-calls', messages, calls, reason };
      }
      case 'replace': {
        const { message, part, text } = value;
        if (typeof message !== 'string' || typeof text !== 'string') return undefined;
        if (!Number.isSafeInteger(part) || (part as number) < 0) return undefined;
        return { type: 'replace', message, part: part as number, text, reason };
      }
      case 'merge': {
        const { text, placement } = value;
        const messages = idsOf(value.messages);
        if (typeof text !== 'string' || (placement !== 'first' && placement !== 'last')) return undefined;
        return messages && { type: 'merge', messages, text, placement, reason };
      }
      default:
        return undefined;
    }
  } catch {
    return undefined;
  }
}

function idsOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const ids = [...value];
  return ids.every((id) => typeof id === 'string') ? ids : undefined;
}
