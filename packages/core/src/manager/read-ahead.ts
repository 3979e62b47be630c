import { startDeadline } from '../base/deadline.js';
import { inSlices, nextTurn } from '../base/slices.js';
import { frozen } from '../compress/plan-context.js';
import type { Background } from './background.js';
import type { ManagerState } from './manager-state.js';
import type { Setup } from './setup.js';

/**
 * What is new is read once it is this share of what there is: whoever reads goes through all of it to find what is new, so
 * a message costs the same however long the conversation is.
 */
const leastNew = 1 / 256;

/**
 * Lets strategies read what is new once nothing else runs, usually while the host waits for the model, so that a plan only
 * has to choose. Below the target no compression is near, and nothing is read.
 */
export function readAhead(
  { stages, settings, slices, wait }: Setup,
  state: ManagerState,
  inTurn: Background['inTurn'],
): void {
  const { meter, conversation } = state;
  const { length } = conversation.transcript;
  const readers = stages.flatMap((strategy) => strategy.read?.bind(strategy) ?? []);
  if (readers.length === 0 || meter.measure().tokens <= meter.target) return;
  if (Math.abs(length - state.readAhead) < length * leastNew) return;
  state.readAhead = length;
  void inTurn(async () => {
    // Whoever waits for the check sends its request first.
    await (slices?.pause ?? nextTurn)();
    const deadline = startDeadline({ timeoutMs: settings.timeoutMs, wait });
    try {
      const options = { ...slices, signal: deadline.signal };
      const said = await inSlices(frozen(conversation.transcript.messages, conversation.copies), options);
      for (const read of readers) await inSlices(read([...said]), options);
    } catch {
      // A plan meets the same fault, and reports it.
    }
    deadline.end();
    return { status: 'unchanged', reason: '' };
  });
}
