import type { DropEdit } from '../edit.js';
import { type EditKind, fewerTokens, idsIn, wholeExchanges } from './edit-kind.js';

export const drop: EditKind<DropEdit> = {
  form({ messages }, reason) {
    const ids = idsIn(messages);
    return ids && { type: 'drop', messages: ids, reason };
  },
  targets: ({ messages }) => messages,
  checks: { 'tool-pairs': wholeExchanges, 'fewer-tokens': fewerTokens },
  apply: (draft, { targets }) => draft.drop(targets),
};
