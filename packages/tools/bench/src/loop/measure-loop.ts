import type { Candidate } from '../candidates/candidate.js';
import { type CountTokens, loadCounter } from '../count-tokens.js';
import { type AgentRun, runAgent } from './agent-run.js';
import { arriving, type Holder, holderOf, nobody, ours } from './holder.js';
import { taskText } from './phrases.js';
import { Project } from './project.js';
import { scenarios as allScenarios, type Scenario } from './scenario.js';

/** Windows as shares of the tokens that the session needs; the first is more than enough. */
const windowShares: readonly number[] = [1.2, 1 / 2, 1 / 3, 1 / 5, 1 / 8];

/** One scenario in one window with one holder. */
export interface LoopResult extends AgentRun {
  readonly holder: string;
  readonly kind: Holder['kind'];
  readonly scenario: string;
  /** The window as a share of what the session needs; undefined without a limit. */
  readonly share: number | undefined;
  readonly window: number | undefined;
  /** The same agent without a limit. */
  readonly control: AgentRun;
}

interface LoopOptions {
  /** In our place; ours is the one named `default pipeline`. */
  readonly candidates: readonly Candidate[];
  readonly scenarios?: readonly Scenario[];
  readonly shares?: readonly number[];
  onStep?(what: string, done: number): void;
}

/** An agent gives up after as many times the requests that it needs without a limit. */
const patience = 3;

/** Runs the scripted agents in every scenario and window, with ours and each candidate in our place. */
export async function measureLoop({
  candidates,
  scenarios = allScenarios,
  shares = windowShares,
  onStep,
}: LoopOptions): Promise<LoopResult[]> {
  const tokensOf = await loadCounter();
  const holders = candidates.flatMap((one) =>
    one.name === ours.name ? [ours, arriving] : ((one.kind === 'ctx' ? undefined : holderOf(one)) ?? []),
  );
  const results: LoopResult[] = [];
  for (const [at, scenario] of scenarios.entries()) {
    const control = await runAgent(scenario, nobody, { tokensOf });
    const add = (
      { name, kind }: Holder,
      share: number | undefined,
      window: number | undefined,
      run: AgentRun,
    ) => results.push({ ...run, holder: name, kind, scenario: scenario.name, share, window, control });
    add(nobody, undefined, undefined, control);
    const windows = windowsOf(scenario, control, { shares, tokensOf });
    for (const [nth, [share, window]] of windows.entries())
      for (const [which, holder] of holders.entries()) {
        const done = (nth + which / holders.length) / windows.length;
        onStep?.(
          `${holder.name}, ${scenario.name}, window of ${window} tokens`,
          (at + done) / scenarios.length,
        );
        const mostRequests = control.requests * patience;
        add(holder, share, window, await runAgent(scenario, holder, { tokensOf, window, mostRequests }));
      }
  }
  return results;
}

/** The windows in which the largest file fits twice beside the system prompt, the tools and the task. */
function windowsOf(
  scenario: Scenario,
  control: AgentRun,
  { shares, tokensOf }: { readonly shares: readonly number[]; readonly tokensOf: CountTokens },
): (readonly [share: number, window: number])[] {
  const project = new Project(scenario);
  const file = Math.max(...project.paths.map((path) => tokensOf.text(project.run('read', { path }))));
  const least = control.first + tokensOf.text(taskText(project.paths)) + 2 * file;
  return shares
    .map((share) => [share, Math.floor(control.largest * share)] as const)
    .filter(([, window]) => window >= least);
}
