import type { ArchivePassage, FindOptions } from '../transcript/archive.js';
import { archived } from './archive-batches.js';
import { inTime, linkOf } from './archive-call.js';
import type { ArchiveLink } from './archive-link.js';
import { has } from './number-ranges.js';

/** Waits for what is on its way, then searches. Only what this manager has put there is found. */
export async function found(
  given: ArchiveLink | undefined,
  query: string,
  options: FindOptions,
): Promise<readonly ArchivePassage[]> {
  const link = linkOf(given);
  const { archive, name, conversation } = link.surroundings;
  await inTime(link, () => link.settled()).catch(() => {});
  const shown = conversation.view.messages();
  const asked = { ...options, conversation: name, shown };
  const passages = await inTime(link, () => archive.search(query, asked));
  return passages.filter(({ message }) => has(link.kept, message) && message <= (link.cut ?? message));
}

/** What is in memory answers, so that a handle can be read before anything is archived, and when the archive is gone. */
export async function underHandle(
  given: ArchiveLink | undefined,
  ref: string,
  maxTokens: number | undefined,
): Promise<readonly ArchivePassage[]> {
  const link = linkOf(given);
  const { archive, name } = link.surroundings;
  const { length } = link.surroundings.conversation.transcript;
  const said = (number: number) =>
    archived(link, number) ?? (number <= length ? ('kept' as const) : undefined);
  return inTime(link, () => archive.get(ref, { conversation: name, maxTokens, said }));
}
