import { type ContextFetchOptions, contextFetch } from '@ctx/fetch';
import type { ModelServerOptions } from '@ctx/servers';
import { named } from '../agents.js';
import { measuredRun } from '../measured-run.js';
import { type AdaptedRun, setUpOptions, setUpServer } from '../set-ups.js';
import { agents } from './agents.js';
import { agentsSdkRun } from './agents-sdk-run.js';
import { aiSdkStream, openAiChatModel, openAiResponsesModel, wrapped } from './ai-sdk.js';
import type { Order, Runs } from './newer-runs.js';

/** Usage: node main.js [an order as JSON]; prints what became of the runs as JSON. */
const [name, options] = JSON.parse(process.argv[2] ?? '["set-ups",{}]') as Order<keyof Runs>;
const runs: { readonly [Name in keyof Runs]: (options: never) => Promise<unknown> } = {
  agents: (server: ModelServerOptions) => fetchRuns(server),
  'agents-sdk': agentsSdkRun,
  'set-ups': setUpRuns,
};
process.stdout.write(JSON.stringify(await runs[name](options as never)));

/** Without options of `contextFetch`, requests go out as they are. */
async function fetchRuns(server?: ModelServerOptions, managed?: ContextFetchOptions) {
  const all: Awaited<ReturnType<typeof measuredRun>>[] = [];
  for (const agent of agents)
    all.push(await measuredRun(agent, server, managed && { fetch: contextFetch(managed) }));
  return all;
}

/** What became of every set-up that needs a newer Node. */
async function setUpRuns(): Promise<AdaptedRun[]> {
  const quiet = { ...setUpOptions, onWarning: () => {} };
  const withMiddleware = [
    named('ai sdk 7, chat streamed', 'chat', aiSdkStream(wrapped(openAiChatModel, quiet))),
    named('ai sdk 7, responses streamed', 'responses', aiSdkStream(wrapped(openAiResponsesModel, quiet))),
  ];
  const all: AdaptedRun[] = (await fetchRuns(setUpServer, quiet)).map((run) => ({
    ...run,
    adapter: 'contextFetch',
  }));
  for (const agent of withMiddleware)
    all.push({ ...(await measuredRun(agent, setUpServer)), adapter: 'contextMiddleware' });
  return all;
}
