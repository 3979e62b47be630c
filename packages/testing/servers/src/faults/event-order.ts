import type { ContextEvents, ContextManager } from '@ctx/core';

type EventName = keyof ContextEvents;

export interface HeardEvent {
  readonly name: EventName;
  readonly event: ContextEvents[EventName];
}

const heardNames = ['compression-start', 'compression-end', 'compression-fail', 'compression-skip'] as const;

/** Notes the events of compressions as they come. */
export function hearCompressions(manager: Pick<ContextManager, 'on'>): HeardEvent[] {
  const heard: HeardEvent[] = [];
  for (const name of heardNames) manager.on(name, (event) => void heard.push({ name, event }));
  return heard;
}

/**
 * What is wrong with the order of a manager's events: a compression that starts ends exactly once, and none starts or ends while another
 * runs or none does. A check that begins no compression skips; a stage fails or is skipped within one.
 */
export function eventProblems(heard: readonly HeardEvent[]): string[] {
  const problems: string[] = [];
  let isRunning = false;
  heard.forEach(({ name, event }, at) => {
    const isOfStage = 'strategy' in event && event.strategy !== undefined;
    const where = `event ${at + 1}, ${name}${isOfStage ? ' of a stage' : ''}`;
    if (name === 'compression-start') {
      if (isRunning) problems.push(`${where}: one runs already`);
      isRunning = true;
    } else if (isOfStage) {
      if (!isRunning) problems.push(`${where}: none runs`);
    } else {
      if (!isRunning && name !== 'compression-skip') problems.push(`${where}: none runs`);
      isRunning = false;
    }
  });
  if (isRunning) problems.push('the last compression has not ended');
  return problems;
}
