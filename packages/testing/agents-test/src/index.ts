export {
  type Agent,
  type AgentOptions,
  type AgentRun,
  runTasks,
  systemPrompt,
  type Task,
  tasks,
} from './agent.js';
export {
  adaptedAgents,
  agents,
  type NamedAgent,
  newerAgents,
  setUpOptions,
  setUpServer,
  startServerFor,
  wireForms,
} from './agents.js';
export { bedrock, bedrockStreamed, credentials } from './bedrock.js';
export { langChainAgent } from './langchain.js';
export { type MeasuredRun, measuredRun, taskScript } from './measured-run.js';
export { newNode } from './new-node.js';
export { ollamaCut } from './ollama.js';
export { setUpRow } from './set-ups.js';
export { runTool, tools } from './tools.js';
