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
export { aiSdkGenerate, aiSdkStream, type ModelOf } from './ai-sdk.js';
export { bedrock, bedrockStreamed, credentials } from './bedrock.js';
export { googleLoop, partsIn } from './google.js';
export { langChainAgent } from './langchain.js';
export { type MeasuredRun, measuredRun, taskScript } from './measured-run.js';
export { newestTask } from './newest-task.js';
export type { ManagedReport } from './node24/middleware.js';
export { newNode } from './node24/node-binary.js';
export { ollamaCut } from './ollama.js';
export { chatTools, openAiChatLoop } from './openai-chat.js';
export { openAiResponsesLoop } from './openai-responses.js';
export { peersTable } from './peers-table.js';
export { setUpOptions, setUpRow, setUpServer } from './set-ups.js';
export { newerRuns } from './set-ups-table.js';
export { runTool, type Tool, tools } from './tools.js';
