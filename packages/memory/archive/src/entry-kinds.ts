import type { ArchiveKind } from '@ctx/core';

const known: Readonly<Record<ArchiveKind, true>> = {
  user: true,
  assistant: true,
  call: true,
  result: true,
  summary: true,
  system: true,
};

/** Every kind of text that an archive keeps. */
export const entryKinds = Object.keys(known) as readonly ArchiveKind[];
