import type { ReplaceEdit } from '../edit.js';
import { replacePart } from '../edited-message.js';
import { type Check, type EditKind, fewerTokens, saysSomething } from './edit-kind.js';

const replaceable: Check<ReplaceEdit> = ({ edit, message }) =>
  message === undefined
    ? `part ${edit.part} of "${edit.message}" cannot be replaced by this text`
    : undefined;

export const replace: EditKind<ReplaceEdit> = {
  form({ message, part, text }, reason) {
    if (typeof message !== 'string' || typeof text !== 'string') return undefined;
    if (!Number.isSafeInteger(part) || (part as number) < 0) return undefined;
    return { type: 'replace', message, part: part as number, text, reason };
  },
  targets: ({ message }) => [message],
  keepsPlace: true,
  result: (edit, target) => target && replacePart(target.message, edit),
  checks: {
    'content-not-empty': saysSomething,
    'reasoning-unaltered': replaceable,
    'fewer-tokens': fewerTokens,
  },
  apply(draft, { targets: [target], message }, version) {
    if (target !== undefined && message !== undefined) draft.replace(target, message, version);
  },
};
