import type { BenchSession } from './bench-session.js';

/** `tune`: to try things on. `report`: to check that they hold elsewhere. */
export type Half = 'tune' | 'report';

/** A session, and which of its cuts belong to the half. */
export interface HalfSession {
  readonly session: BenchSession;
  readonly hasCut: (index: number) => boolean;
}

/** Every other session of each source, beginning with the first for `tune`. Of a source with one session, every other cut. */
export function halfOf(sessions: readonly BenchSession[], half: Half): HalfSession[] {
  const isOurs = (index: number) => index % 2 === (half === 'tune' ? 0 : 1);
  return sessions.flatMap((session): HalfSession[] => {
    const siblings = sessions.filter(({ source }) => source === session.source);
    if (siblings.length === 1) return [{ session, hasCut: isOurs }];
    return isOurs(siblings.indexOf(session)) ? [{ session, hasCut: () => true }] : [];
  });
}

/** The half of each cut of a session, by its index. */
export function halvesOf(sessions: readonly BenchSession[]): (session: BenchSession, index: number) => Half {
  const tuned = new Map(halfOf(sessions, 'tune').map(({ session, hasCut }) => [session, hasCut]));
  return (session, index) => (tuned.get(session)?.(index) ? 'tune' : 'report');
}
