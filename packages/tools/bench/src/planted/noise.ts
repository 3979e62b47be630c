import type { Draw } from '../loop/scenario.js';

/** A call whose result says little that is new, as most of a long run does. */
export interface NoisyCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, string>>;
  /** The result, in which a fact may be planted. */
  readonly result: (fact: string | undefined) => string;
}

/** Ms since epoch: an arbitrary morning. */
const start = Date.UTC(2025, 9, 9, 8);
/** Ms: about a minute, as an agent polls, and never the same second. */
const stepMs = 61_000;
/** Lines of a listing, of the end of a log, and tests of a run. */
const listed = 25;
const logged = 30;
const tests = 12;

/** The call of a step. */
export function noisyCall(draw: Draw, step: number): NoisyCall {
  return draw.pick([poll, listing, logTail, testRun])(draw, step);
}

function poll(draw: Draw, step: number): NoisyCall {
  const job = `job-${hex(draw, 8)}`;
  const state = {
    job_id: job,
    status: draw.pick(['running', 'queued']),
    progress: draw.below(100),
    updated_at: timeOf(step),
    worker: `w-${draw.below(40)}`,
    attempts: draw.below(4),
  };
  return {
    tool: 'get_job',
    input: { job_id: job },
    result: (note) => JSON.stringify(note === undefined ? state : { ...state, note }),
  };
}

function listing(draw: Draw, step: number): NoisyCall {
  const line = () =>
    `-rw-r--r-- 1 app app ${draw.below(90_000)} Mar ${1 + draw.below(28)} ${clock(draw)} part-${draw.below(99_999)}.parquet`;
  return inTerminal(`ls -la /var/data/batch${step}`, lines(listed, line), draw);
}

function logTail(draw: Draw, step: number): NoisyCall {
  const line = (at: number) =>
    `${timeOf(step * logged + at)} ${draw.pick(['INFO', 'DEBUG'])} [worker-${draw.below(16)}] request ${hex(draw, 12)} finished in ${draw.below(900)} ms status=${draw.pick([200, 200, 204])}`;
  return inTerminal('tail -n 30 service.log', lines(logged, line), draw);
}

function testRun(draw: Draw): NoisyCall {
  const passed = 200 + draw.below(40);
  const run = lines(tests, (at) => ` PASS  tests/unit/case_${at}.test.ts (${draw.below(900)} ms)`);
  const end = [` Tests: ${passed} passed, ${passed} total`, ` Time: ${draw.below(60)}.${draw.below(999)} s`];
  return inTerminal('npm test', [...run, ...end], draw);
}

/** A fact stands on a line of its own. */
function inTerminal(command: string, output: readonly string[], draw: Draw): NoisyCall {
  const at = draw.below(output.length + 1);
  return {
    tool: 'bash',
    input: { command },
    result: (fact) => (fact === undefined ? output : output.toSpliced(at, 0, fact)).join('\n'),
  };
}

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at));
const timeOf = (step: number) => new Date(start + step * stepMs).toISOString();
const clock = (draw: Draw) => `${draw.below(24)}:${String(draw.below(60)).padStart(2, '0')}`;
const hex = (draw: Draw, length: number) => lines(length, () => draw.below(16).toString(16)).join('');
