/** The share of its tokens that a conversation is brought to. */
const claimedShare = 0.25;
/** Tokens: the window in which whole sessions were replayed. */
const replayLimit = 64_000;
const withCount = ({ mean, error }) => `${mean.toFixed(0)} ± ${error.toFixed(0)} %`;

/** The rows of a table in a document, each as its cells. */
const rowsOf = (text) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

/**
 * The strongest figures in a sentence each, with how many things were measured.
 * @param results of the benchmark
 * @param adapters the page with the table of what other methods did
 */
export function claims({ overall, loop, cuts, sessions, replays }, adapters) {
  const kept = overall.filter(({ share }) => share === claimedShare);
  const own = kept.find(({ candidate }) => candidate === 'default pipeline');
  const best = kept
    .filter(({ kind }) => kind === 'peer' || kind === 'baseline')
    .toSorted((one, other) => other.usableCtx.mean - one.usableCtx.mean)[0];
  const [, peers] = adapters.split(/<!-- peers:(?:start|end) -->/);
  const others = rowsOf(peers).filter(([name, , requests]) => !name.includes('contextFetch') && requests > 0);
  const methods = others.filter(([name]) => !name.endsWith(', nothing'));
  if (methods.some((row) => !row.at(-1).endsWith('stopped')))
    throw new Error('A peer goes on after an overflow.');
  const atWork = loop.filter(
    ({ candidate, requests, ended, scenarios }) =>
      candidate === 'default pipeline' && requests < 1.005 && ended === scenarios,
  );
  const all = Math.max(...atWork.map(({ scenarios }) => scenarios));
  const least = (rows) => rows.toSorted((one, other) => one.share - other.share)[0];
  const [shared, smallest] = [least(atWork.filter(({ scenarios }) => scenarios === all)), least(atWork)];
  const part = ({ share }) => `1/${Math.round(1 / share)}`;
  const whole = replays.find(
    ({ candidate, limit }) => candidate === 'default pipeline' && limit === replayLimit,
  );
  const cost = (100 * whole.cost.mean).toFixed(0);
  const misses = `${whole.missRate.mean.toFixed(1)} ± ${whole.missRate.error.toFixed(1)} %`;
  return [
    `- **It keeps what is needed.** In a quarter of the tokens, ${withCount(own.usableCtx)} of what the agent refers to next is left (n = ${cuts} cuts of ${sessions} sessions);`,
    `  with ${best.candidate}, the best of the other methods, ${withCount(best.usableCtx)}.`,
    `- **It costs less.** In a window of ${replayLimit.toLocaleString('en-US')} tokens, the input of whole sessions cost ${cost} % with prompt caching (n = ${whole.sessions}), and ${misses} of what the agent`,
    '  used was missing from its request.',
    `- **It survives overflows.** When a scripted provider refused a request that fits by the agent's count (the sixth of 48), all ${methods.length} methods of`,
    '  [LangChain and the AI SDK](docs/adapters.md#compared-with-what-the-frameworks-have) stopped there; under that condition only ctx finished all 12 tasks.',
    `- **It serves the agent at work.** ${all} of ${all} scripted agents needed no more requests than without a limit in ${part(shared)} of the window that they need, and the ${smallest.scenarios}`,
    `  whose files fit also in ${part(smallest)}.`,
  ].join('\n');
}
