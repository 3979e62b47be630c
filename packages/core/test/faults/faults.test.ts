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

/** Lines that appear in no stack, each with the test that covers it. */
const explained: Readonly<Record<string, string>> = {
  'base/deadline.ts stopped.catch(() => {});':
    'nobody handles it while no task runs; every run here checks for unhandled rejections',
  'compress/events.ts if (isThenable(returned)) returned.then(undefined, fail);':
    'struck as the kind "listener"',
  'manager/compressions.ts const { simulated } = await compression();': 'an import',
  "compress/pipeline.ts const { encodedStage, ownStages } = await import('./own-stages.js');": 'an import',
  "compress/pipeline.ts const { lastResort } = await import('./last-resort.js');": 'an import',
  'manager/compressions.ts return (await compression()).simulated(this.state.compressor, request);':
    'the same run as "plan" strikes, which changes nothing',
  'compress/pipeline.ts await new Stage(lastResort, made, run, more).report(attempt === 0 ? fellShort : undefined);':
    'the same as a stage of the pipeline, which "plan" strikes; last-resort.test.ts',
  'compress/own-stages.ts const exchanges = await inSlices(exchangesInSteps(view));':
    'only with a recall tool; what it waits for is struck as "plan"; recalled.test.ts',
  'compress/compression.ts const further = await runPipeline({ ...run, spares: false });':
    'only where what must stay is too large; what it waits for is struck in the first run; recover.test.ts',
  'compress/stage.ts const { resolveEdits } = await ports.load();': 'an import',
  'compress/light.ts await inSlices(inSteps(messages, (message) => conversation.append(message)));':
    'its pauses are those of a conversation that nobody else knows; compact.test.ts of the mod',
  'compress/light.ts const result = await runPipeline({':
    'the same run as "plan" strikes; compact.test.ts of the mod',
  "compress/light.ts const applied = await inSlices(judgedIn(conversation, 'compression-1', { ...result, revision }));":
    'works on a conversation that nobody else knows; compact.test.ts of the mod',
  "manager/compressions.ts const { needlessCuts, needlessRecoveries } = await import('./cut-words.js');":
    'an import',
  'manager/recovery.ts const outcome = await compressed(compressor, { stages, targetTokens: 0, reason, signal, upkeep: true });':
    'the same as "recover" with a stage of core; old-images.test.ts',
  'manager/recovery.ts return (await withoutImages(error, recovering)) ?? smaller(error, recovering);':
    'the same as "recover" with a stage of core; old-images.test.ts',
  'manager/recovery.ts outcome = await unlessLost(recovering, isLost, () =>':
    'the same as "recover" with a stage of core; nothing-lost.test.ts of fetch',
  "manager/compressions.ts const { recovered } = await import('./recovery.js');": 'an import',
  "manager/compressions.ts const { decide } = await import('./before-compress.js');": 'an import',
  'manager/context-manager.ts const aborted = await this.#shortenArrivals(options.signal).catch(outcomeOfAbort);':
    'only with the setting "arrivals", whose archive archive.test.ts strikes',
  'manager/context-manager.ts await this.#tokenizer.wait(signal);': 'the same as in a check',
  "manager/context-manager.ts const { shortenArrivals } = await import('./arrivals.js');": 'an import',
  'manager/context-manager.ts await shortenArrivals(conversation, this.#archive, settings, { ...slices, signal }, this.#events);':
    'waits for what archive.test.ts strikes',
  "manager/context-manager.ts const { whereaboutsOf } = await import('../view/whereabouts.js');": 'an import',
  'count/bpe.ts loading ??= load(encoding).then(': 'behind the port that is struck as "load"; bpe.test.ts',
  "count/bpe.ts const { loadTokenizer } = await import('./tokenizer.js');": 'an import; bpe.test.ts',
  'count/tokenizer.ts const { countTokens, clearMergeCache, pattern } = await loadEncoding(encoding);':
    'an import; bpe.test.ts',
  "count/tokenizer.ts return (await import('./encodings/cl100k-base.js')).cl100kBase;":
    'an import; bpe.test.ts',
  "count/tokenizer.ts return (await import('./encodings/o200k-base.js')).o200kBase;":
    'an import; bpe.test.ts',
  'compress/resolve.ts const after = overhead + (await tokensIn(written.text));':
    'only a long text is counted with pauses; resolve.test.ts',
  'manager/compressions.ts .catch(() => undefined)':
    'only with the setting "background", after an overflow or an abort; background.test.ts',
  'manager/compressions.ts .finally(() => {': 'only with the setting "background"; background.test.ts',
  'manager/compress-messages.ts await inSlices(':
    'its pauses are those of its own manager, which nobody else knows; compress-messages.test.ts',
  'manager/compress-messages.ts const outcome = await manager.compress({ strategy, targetTokens });':
    'the action "compress" on its own manager; compress-messages.test.ts',
  'manager/tokenizer-loading.ts loading.then((errors) => {':
    'after the time limit, when "load" is struck with "late"; tokenizer-loading.test.ts',
  'manager/context-manager.ts .then(task)': 'the queue, which "another check" and "recover" wait in',
  'manager/context-manager.ts .catch(outcomeOfAbort)':
    'struck when the caller aborts while the tokenizer is loaded',
  'manager/context-manager.ts return this.#queued(task, signal).finally(() => {':
    'the queue, which "another check" and "recover" wait in',
  'manager/context-manager.ts this.#queue = before.then(() => run.catch(() => undefined));':
    'the queue after a rejection',
};

/** What waits for an archive; archive.test.ts strikes it. */
const ofArchive = /manager\/(?:archive-log|arrivals)\.ts/;

test('every waiting line of the sources was covered', () => {
  const unseen = unseenLines(join(__dirname, '../../src'), seen);
  const rest = unseen.filter(({ place }) => !ofArchive.test(place));
  const found = rest.map(({ place, code }) => `${place.replace(/^core\/src\/|:\d+$/g, '')} ${code}`);
  expect(found.sort()).toEqual(Object.keys(explained).sort());
});
