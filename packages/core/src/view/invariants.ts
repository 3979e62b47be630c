/** The guarantees of every view, in the order of the README. */
export const invariantNames = [
  'tool-pairs',
  'system-stays',
  'pinned-stays',
  'newest-user-stays',
  'task-stays',
  'unread-stays',
  'order',
  'targets-exist',
  'declared-edits',
  'reasoning-unaltered',
  'fewer-tokens',
  'min-messages',
  'accounted',
  'leading-user',
  'content-not-empty',
  'append-only',
  'reasoning-bound',
] as const;
export type InvariantName = (typeof invariantNames)[number];
