import type { Simulation } from './outcome.js';
import type { Run } from './run.js';

/**
 * Runs the stages without ports and events, and puts nothing in force.
 * @param fixedTokens tokens of a request beside the messages
 * @throws CtxError `aborted`
 */
export async function simulationOf(run: Run, fixedTokens: number): Promise<Simulation> {
  const { view } = run;
  const [tokensBefore, messagesBefore] = [view.tokens, view.entries.length];
  const { runPipeline } = await import('./pipeline.js');
  const result = await runPipeline({ ...run, container: undefined, events: undefined });
  return {
    tokensBefore: tokensBefore + fixedTokens,
    tokensAfter: result.view.tokens + fixedTokens,
    messagesBefore,
    messagesAfter: result.view.entries.length,
    edits: result.edits,
    rejected: result.rejected,
    unresolved: result.unresolved,
    stages: result.stages,
  };
}
