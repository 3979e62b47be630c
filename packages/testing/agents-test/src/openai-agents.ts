import {
  type AgentInputItem,
  type MemorySession,
  OpenAIProvider,
  Runner,
  Agent as SdkAgent,
  tool,
} from '@openai/agents';
import OpenAI from 'openai-7';
import { z } from 'zod';
import {
  type AgentOptions,
  type AgentRun,
  connection,
  runTasks,
  systemPrompt,
  type Task,
  urlOf,
} from './agent.js';
import { countedTools } from './tools.js';

/** How an agent of the Agents SDK is run, and what holds its conversation. */
export interface AgentsSdkOptions extends AgentOptions {
  readonly streamed?: boolean;
  /** A session of the SDK keeps the items; otherwise the caller does. */
  readonly session?: MemorySession | undefined;
}

/** An agent of OpenAI's Agents SDK on Responses: nothing stored, encrypted reasoning sent back. */
export async function agentsSdkAgent(options: AgentsSdkOptions): Promise<AgentRun> {
  const { session, streamed = false } = options;
  const client = new OpenAI(connection(options));
  const modelProvider = new OpenAIProvider({ openAIClient: client, useResponses: true });
  const runner = new Runner({ tracingDisabled: true, modelProvider });
  let items: AgentInputItem[] = [];
  return runTasks(options, async (task, run) => {
    const agent = agentFor(run);
    const input = [...(session ? [] : items), userItem(task)];
    const how = { ...(session && { session }) };
    const result = streamed
      ? await runner.run(agent, input, { ...how, stream: true })
      : await runner.run(agent, input, how);
    if ('completed' in result) await result.completed;
    items = session ? await session.getItems() : result.history;
    run.history = items;
    return String(result.finalOutput);
  });
}

function agentFor(run: AgentRun): SdkAgent {
  return new SdkAgent({
    name: 'engineer',
    instructions: systemPrompt,
    model: 'gpt-5',
    modelSettings: { store: false, providerData: { include: ['reasoning.encrypted_content'] } },
    tools: countedTools(run).map(({ name, description, run: execute }) =>
      tool({ name, description, parameters: z.object({ path: z.string() }), execute }),
    ),
  });
}

function userItem({ prompt, image }: Task): AgentInputItem {
  const text = { type: 'input_text' as const, text: prompt };
  const pictures = image ? [{ type: 'input_image' as const, image: urlOf(image) }] : [];
  return { type: 'message', role: 'user', content: [text, ...pictures] };
}
