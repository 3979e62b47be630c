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

/** Who says a fact: a tool among the noise of its result, the assistant, or the user. */
const speakers = ['tool', 'assistant', 'user'] as const;

/** What is said once in a conversation. */
export interface PlantedFact {
  readonly text: string;
  readonly speaker: (typeof speakers)[number];
  /** Whether it has neither a number nor an id: nothing that a pattern finds. */
  readonly isPlain: boolean;
}

const withValue: readonly ((draw: Draw) => string)[] = [
  (draw) => `Note: the ${draw.word()} gateway only accepts the header "X-${draw.word()}-${draw.below(999)}".`,
  (draw) => `We agreed that ${draw.words(2)} releases ship from branch ${draw.word()}/${draw.below(9000)}.`,
  (draw) => `WARNING ${draw.word()}: quota for tenant ${codeOf(draw)} was reduced by operations`,
  (draw) => `The contact for ${draw.words(2)} incidents is ${draw.word()}.${draw.word()}@example.com.`,
  (draw) => `Decision: events of ${draw.words(2)} are kept for ${10 + draw.below(9000)} days.`,
];
/** As many as a conversation has plain facts, so that each is said in words of its own. */
const plain: readonly ((draw: Draw) => string)[] = [
  (draw) => `We agreed that nobody restarts the ${draw.word()} gateway while ${draw.words(2)} is loading.`,
  (draw) => `The partners of ${draw.words(2)} send their files late at the end of the month.`,
  (draw) => `WARNING ${draw.word()}: the archive of ${draw.words(2)} is read only until further notice`,
  (draw) => `Finance wants the report on ${draw.words(2)} before the one on ${draw.words(2)}.`,
  (draw) => `Please don't retry ${draw.words(2)} without asking the people at ${draw.word()} first.`,
  (draw) => `Deprecated: ${draw.words(2)} will lose its mirror after the summer`,
  (draw) => `From now on the ${draw.words(2)} team owns every alert about disks.`,
  (draw) => `Legal says that addresses of ${draw.words(2)} customers must be masked.`,
  (draw) => `Duplicates in ${draw.words(2)} are harmless, so leave them where they are.`,
  (draw) => `If ${draw.words(2)} is empty, the supplier was on holiday.`,
  (draw) => `Use the slow path for ${draw.words(2)}; the fast one loses accents.`,
  (draw) => `hint: certificates for ${draw.words(2)} come from the old vault`,
  (draw) => `Nobody may change the schema of ${draw.words(2)} during an audit.`,
  (draw) => `The ${draw.words(2)} dashboard lags behind, trust the console instead.`,
  (draw) => `Weekend runs of ${draw.words(2)} are paid for by marketing.`,
];

function codeOf(draw: Draw): string {
  return Array.from({ length: 6 }, () => draw.below(16).toString(16).toUpperCase()).join('');
}

/** Different facts: every speaker says as many in plain words as with a value. */
export function plantedFacts(draw: Draw, count: number): PlantedFact[] {
  const texts = new Set<string>();
  const firstPlain = draw.below(plain.length);
  return Array.from({ length: count }, (_, at) => {
    const round = Math.floor(at / speakers.length);
    const isPlain = round % 2 === 0;
    const plainAt = firstPlain + (round / 2) * speakers.length + (at % speakers.length);
    const form = isPlain ? plain[plainAt % plain.length] : draw.pick(withValue);
    let text = '';
    while (text === '' || texts.has(text)) text = form?.(draw) ?? '';
    texts.add(text);
    return { text, speaker: speakers[at % speakers.length] as PlantedFact['speaker'], isPlain };
  });
}
