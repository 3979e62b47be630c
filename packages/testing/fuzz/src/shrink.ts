import type { History } from './history.js';
import type { Failure } from './run-history.js';

/** Settings that a failure may not need. */
const optionalSettings = [
  'options',
  'beforeSend',
  'breaker',
  'prices',
  'trigger',
  'target',
  'priorities',
  'pipeline',
  'throttleMs',
  'historySize',
  'seed',
  'reserve',
] as const;

/**
 * Reduces a failure to the steps and settings that it needs. Leaves each one out as long as the same law is still broken.
 * @param fails runs a history
 * @param mostRuns the most runs, for failures that are slow to repeat
 */
export async function shrunk(
  history: History,
  failure: Failure,
  fails: (history: History) => Promise<Failure | undefined>,
  mostRuns = 2000,
): Promise<{ readonly history: History; readonly failure: Failure }> {
  let best: { readonly history: History; readonly failure: Failure } = {
    history: { ...history, operations: history.operations.slice(0, failure.at + 1) },
    failure,
  };
  let runs = 0;
  const tryOut = async (candidate: History): Promise<boolean> => {
    if (runs >= mostRuns) return false;
    runs += 1;
    const found = await fails(candidate).catch(() => undefined);
    if (found?.law !== failure.law) return false;
    best = { history: candidate, failure: found };
    return true;
  };
  if (!(await tryOut(best.history))) best = { history, failure };
  let size = Math.ceil(best.history.operations.length / 2);
  while (size >= 1 && runs < mostRuns) {
    let found = false;
    for (let at = best.history.operations.length - size; at >= 0; at -= size) {
      const operations = best.history.operations.toSpliced(at, size);
      if (await tryOut({ ...best.history, operations })) found = true;
    }
    if (!found) size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  for (const key of optionalSettings) {
    const { setup } = best.history;
    if (setup.config[key] === undefined) continue;
    const { [key]: _, ...config } = setup.config;
    await tryOut({ ...best.history, setup: { ...setup, config: config as typeof setup.config } });
  }
  for (const key of ['provider', 'model', 'profile'] as const) {
    const { [key]: _, ...setup } = best.history.setup;
    await tryOut({ ...best.history, setup });
  }
  return best;
}
