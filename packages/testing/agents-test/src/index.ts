export { adaptedAgents } from './adapters.js';
export {
  type Agent,
  type AgentOptions,
  type AgentRun,
  runTasks,
  systemPrompt,
  type Task,
  tasks,
} from './agent.js';
export { agents, type NamedAgent, startServerFor, wireForms } from './agents.js';
export { bedrock, bedrockStreamed, credentials } from './bedrock.js';
export { langChainAgent } from './langchain.js';
export { type MeasuredRun, measuredRun, taskScript } from './measured-run.js';
export { newerRuns, newNode } from './node24/newer-runs.js';
export { ollamaCut } from './ollama.js';
export { setUpOptions, setUpRow, setUpServer } from './set-ups.js';
export { runTool, tools } from './tools.js';
