/** The share of its tokens that a conversation is brought to. */
const claimedShare = 0.25;
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
export function claims({ overall, loop, cuts, sessions }, adapters) {
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
  return [
    `- **It keeps what is needed.** Of a conversation that is cut to a quarter of its tokens, ${withCount(own.usableCtx)} of what the agent refers to next is left (${cuts} cuts of`,
    `  ${sessions} sessions); of the other methods, ${best.candidate} keeps most, ${withCount(best.usableCtx)}.`,
    '- **It survives overflows.** If the provider says that a request was too large, ctx sends a smaller one. Your agent does not notice. Each of the',
    `  ${methods.length} methods of [LangChain and the AI SDK](docs/adapters.md#compared-with-what-the-frameworks-have) that we tried stopped at such an answer; only ctx finished all 12 tasks.`,
    '- **It serves the agent at work.** What the agent has just asked for stays whole. Scripted agents that know only what a request shows needed as many requests as',
    `  without a limit: ${all} of ${all} in ${part(shared)} of the window that they need, and the ${smallest.scenarios} whose files fit in ${part(smallest)}.`,
  ].join('\n');
}
