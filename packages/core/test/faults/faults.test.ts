import { join } from 'node:path';
import { distinctCalls, type PlannedStrike, type SeenCall, strikesOf, unseenLines } from '@ctx/servers';
import type { Snapshot } from '../../src/manager/snapshot.js';
import { type ActionName, actions } from './actions.js';
import { type Happening, happenings } from './happenings.js';
import { runAction } from './run.js';
import { standingTimers } from './standing-timers.js';
import { beginningOf } from './world.js';

let beginning: Snapshot;
beforeAll(async () => {
  beginning = await beginningOf();
});
const unhandled = standingTimers();

/** Calls awaited by the same lines are struck once, whichever action they belong to. */
const known = new Set<string>();
const kinds = new Set<string>();
const seen = new Set<string>();
let runs = 0;

const names = Object.keys(actions) as ActionName[];
const everything = Object.keys(happenings) as Happening[];

/** Pauses of an action at which something happens. The random histories of the fuzzer pause everywhere. */
const mostPauses = 60;

/** What happens besides a fault is spread over the calls; with CTX_EVERY_PAIR=1 each call meets every pair of the two, in two minutes. */
const oneIn = process.env.CTX_EVERY_PAIR === '1' ? 1 : Math.ceil(8 / Number(process.env.CTX_RUNS ?? 1));

/** At pauses spread over the action something happens, each time something else. */
function strikesAtPauses(calls: readonly SeenCall[], name: ActionName): PlannedStrike<Happening>[] {
  const pauses = calls.filter(({ kind }) => kind === 'pause');
  const apart = Math.max(1, Math.ceil(pauses.length / mostPauses));
  const struck = pauses.filter((_, index) => index % apart === names.indexOf(name) % apart);
  return struck.map(({ at }, index) => {
    const happening = everything[(index + names.indexOf(name)) % everything.length] as Happening;
    return { at, fault: 'answers', moment: 'call', happening };
  });
}

describe.each(names)('%s', (name) => {
  test('keeps its guarantees whatever happens to a call it waits for, and whatever is done meanwhile', async () => {
    const calls = await runAction(name, beginning);
    for (const { kind, frames } of calls) {
      kinds.add(kind.replace(/^(plan|listener) (?!at once).*/, '$1'));
      for (const frame of frames) seen.add(frame);
    }
    const distinct = distinctCalls(calls, { until: 'core/src/compress/compression.ts', known });
    const isWaitedFor = ({ kind }: SeenCall) => !kind.startsWith('listener') && kind !== 'pause';
    const strikes = [
      ...strikesOf(distinct, everything, { isWaitedFor, oneIn }),
      ...strikesAtPauses(calls, name),
    ];
    const failures: string[] = [];
    for (const strike of strikes) {
      const { at, fault, moment, happening } = strike;
      const title = `${at} ${fault} (${moment}), ${happening}`;
      await runAction(name, beginning, strike).catch((error) => failures.push(`${title}: ${error}`));
      for (const reason of unhandled.splice(0)) failures.push(`${title}: unhandled rejection, ${reason}`);
    }
    runs += strikes.length;
    expect(failures).toEqual([]);
  }, 600_000);
});

test('every kind of call was struck', () => {
  console.log(`${runs} runs with a fault or a change`);
  expect([...kinds].sort()).toEqual([
    'ask',
    'finish',
    'fold',
    'listener',
    'load',
    'pause',
    'plan',
    'plan at once',
    'resolve',
    'summarize',
  ]);
  expect(runs).toBeGreaterThan(known.size * Object.keys(happenings).length);
});

/** Waiting lines that appear in no stack, because something else that is struck waits in their place. */
const unstruck: readonly string[] = [
  'base/deadline.ts stopped.catch(() => {});',
  'compress/events.ts if (isThenable(returned)) returned.then(undefined, fail);',
  'compress/pipeline.ts await new Stage(lastResort, made, run, more).report(attempt === 0 ? fellShort : undefined);',
  'compress/own-stages.ts const exchanges = await inSlices(exchangesInSteps(view));',
  'compress/compression.ts const further = await runPipeline({ ...run, spares: false });',
  'compress/stage.ts const { resolveEdits } = await ports.load();',
  'compress/resolve.ts const after = overhead + (await tokensIn(written.text));',
  'manager/compressions.ts const { simulated } = await compression();',
  'manager/compressions.ts return (await compression()).simulated(this.state.compressor, request);',
  'manager/compressions.ts .catch(() => undefined)',
  'manager/compressions.ts .finally(() => {',
  'manager/context-manager.ts const aborted = await this.#shortenArrivals(options.signal).catch(outcomeOfAbort);',
  'manager/context-manager.ts await this.#tokenizer.wait(signal);',
  'manager/context-manager.ts await shortenArrivals(conversation, this.#archive, settings, { ...slices, signal }, this.#events);',
  'manager/context-manager.ts .then(task)',
  'manager/context-manager.ts .catch(outcomeOfAbort)',
  'manager/context-manager.ts return this.#queued(task, signal).finally(() => {',
  'manager/context-manager.ts this.#queue = before.then(() => run.catch(() => undefined));',
  'manager/tokenizer-loading.ts loading.then((errors) => {',
];

/** Files whose waits have tests of their own: those of the archive, of recoveries, of the counter and of single calls; and imports. */
const elsewhere =
  /manager\/(?:archive-log|arrivals|recovery|compress-messages)\.ts|compress\/light\.ts|count\/|await import\(/;

test('every waiting line of the sources was covered', () => {
  const unseen = unseenLines(join(__dirname, '../../src'), seen);
  const found = unseen.map(({ place, code }) => `${place.replace(/^core\/src\/|:\d+$/g, '')} ${code}`);
  expect(found.filter((line) => !elsewhere.test(line)).sort()).toEqual([...unstruck].sort());
});
