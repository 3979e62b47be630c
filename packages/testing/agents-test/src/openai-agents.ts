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
import { type AgentOptions, type AgentRun, runTasks, systemPrompt, type Task } from './agent.js';
import { tools } from './tools.js';

/** How an agent of the Agents SDK is run, and what holds its conversation. */
export interface AgentsSdkOptions extends AgentOptions {
  readonly streamed?: boolean;
  /** A session of the SDK keeps the items; otherwise the caller does. */
  readonly session?: MemorySession | undefined;
}

/** An agent of OpenAI's Agents SDK on Responses: nothing stored, encrypted reasoning sent back. */
export async function agentsSdkAgent(options: AgentsSdkOptions): Promise<AgentRun> {
  const { baseURL, fetch, session, streamed = false } = options;
  const client = new OpenAI({ apiKey: 'sk-test', baseURL: `${baseURL}/v1`, ...(fetch && { fetch }) });
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
    tools: tools.map(({ name, description, run: execute }) =>
      tool({
        name,
        description,
        parameters: z.object({ path: z.string() }),
        execute: (input) => {
          run.toolCalls += 1;
          return execute(input);
        },
      }),
    ),
  });
}

function userItem({ prompt, image }: Task): AgentInputItem {
  const text = { type: 'input_text' as const, text: prompt };
  const picture = { type: 'input_image' as const, image: `data:image/png;base64,${image}` };
  return { type: 'message', role: 'user', content: image === undefined ? [text] : [text, picture] };
}
