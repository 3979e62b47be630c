import { contextMiddleware } from '@ctx/ai-sdk';
import { contextProvider } from '@ctx/openai-agents';
import { wrapLanguageModel } from 'ai-7';
import type { AdaptedAgent } from '../adapters.js';
import { measuredRun } from '../measured-run.js';
import { setUpOptions, setUpServer } from '../set-ups.js';
import type { AdaptedRun } from '../set-ups-table.js';
import { aiSdkStream, type ModelOf, openAiChatModel, openAiResponsesModel } from './ai-sdk.js';
import { measuredRuns } from './measured-runs.js';
import { agentsSdkAgent } from './openai-agents.js';

/** Usage: node main-set-ups.js; prints as JSON what became of every set-up that needs a newer Node. */
const quiet = { ...setUpOptions, onWarning: () => {} };

const wrapped =
  (modelOf: ModelOf): ModelOf =>
  (options) =>
    wrapLanguageModel({
      model: modelOf(options) as Parameters<typeof wrapLanguageModel>[0]['model'],
      middleware: contextMiddleware(quiet),
    });

const adaptedAgents: readonly AdaptedAgent[] = [
  {
    name: 'ai sdk 7, chat streamed',
    adapter: 'contextMiddleware',
    provider: 'openai',
    api: 'chat',
    run: aiSdkStream(wrapped(openAiChatModel)),
  },
  {
    name: 'ai sdk 7, responses streamed',
    adapter: 'contextMiddleware',
    provider: 'openai',
    api: 'responses',
    run: aiSdkStream(wrapped(openAiResponsesModel)),
  },
  {
    name: 'openai agents',
    adapter: 'contextProvider',
    provider: 'openai',
    api: 'responses',
    run: (options) => agentsSdkAgent({ ...options, wrap: (provider) => contextProvider(provider, quiet) }),
  },
];

const runs: AdaptedRun[] = (await measuredRuns(setUpServer, quiet)).map((run) => ({
  ...run,
  adapter: 'contextFetch',
}));
for (const { adapter, ...agent } of adaptedAgents)
  runs.push({ ...(await measuredRun(agent, setUpServer)), adapter });
process.stdout.write(JSON.stringify(runs));
