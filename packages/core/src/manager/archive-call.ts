import { startDeadline } from '../base/deadline.js';
import { CtxError } from '../base/errors.js';
import type { ArchiveLink } from './archive-link.js';

/** Ms: twice what archives wait for their servers. */
const longestCallMs = 10_000;

/**
 * Waits for a call of the archive ten seconds at most.
 * @param late for a call that writes: called if it succeeds after it was given up
 */
export async function inTime<T>(link: ArchiveLink, call: () => Promise<T>, late?: () => void): Promise<T> {
  const { timeoutMs, wait } = link.surroundings;
  const deadline = startDeadline({ timeoutMs: Math.min(timeoutMs, longestCallMs), wait });
  let isGivenUp = false;
  let isAnswered = false;
  const answered = (isDone: boolean) => {
    isAnswered = true;
    if (!isGivenUp || late === undefined) return;
    link.unanswered -= 1;
    if (!isDone) return;
    late();
    link.changed('record');
  };
  try {
    return await deadline.run(() => {
      const called = (async () => call())();
      called.then(
        () => answered(true),
        () => answered(false),
      );
      return called;
    });
  } finally {
    isGivenUp = !isAnswered;
    if (isGivenUp && late !== undefined) link.unanswered += 1;
    deadline.end();
  }
}

/** @throws CtxError `port-missing` */
export function linkOf(link: ArchiveLink | undefined): ArchiveLink {
  if (link !== undefined) return link;
  throw new CtxError({
    code: 'port-missing',
    problem: 'The manager has no archive',
    place: 'archive',
    remedy: "Pass one: createContextManager({ archive: memoryArchive() }), from '@ctx/archive'.",
  });
}
