import { cpus } from 'node:os';
import { counter } from './conversation.js';
import { firstCompression, laterRequests, startUp } from './first-steps.js';
import { appendAndCheck, longConversation, planAndApply } from './growth.js';
import { Figures } from './timing.js';

export interface SpeedOptions {
  /** Session files, of which a long conversation is made. @default an invented conversation */
  readonly sessions?: readonly string[];
  /** Called with what was measured last. */
  onStep?(what: string): void;
}

/** Measures how fast ctx is and how its time grows. The title has Node's version, the machine's cores and the day. */
export async function measureSpeed({ sessions = [], onStep = () => undefined }: SpeedOptions = {}) {
  const figures = new Figures(onStep);
  await firstCompression(figures, sessions);
  startUp(figures);
  await counter.load?.();
  for (const measure of [appendAndCheck, longConversation, planAndApply, laterRequests])
    await measure(figures);
  const day = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
  return { title: `Node ${process.versions.node}, ${cpus().length} cores, ${day}`, figures: figures.all };
}
