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
import { type Agent, connection, runTasks, systemPrompt, type Task, urlOf } from './agent.js';
import { tools } from './tools.js';

/**
 * An agent of OpenAI's Agents SDK on Responses: nothing stored, encrypted reasoning sent back.
 * @param newSession makes a session of the SDK that keeps the items; without it the caller does
 */
export const agentsSdkAgent =
  (streams = false, newSession?: () => MemorySession): Agent =>
  (options) => {
    const session = newSession?.();
    const client = new OpenAI(connection(options));
    const modelProvider = new OpenAIProvider({ openAIClient: client, useResponses: true });
    const runner = new Runner({ tracingDisabled: true, modelProvider });
    let items: AgentInputItem[] = [];
    return runTasks(options, async (task, run) => {
      const input = [...(session ? [] : items), userItem(task)];
      const how = session && { session };
      const result = streams
        ? await runner.run(agent, input, { ...how, stream: true })
        : await runner.run(agent, input, { ...how });
      if ('completed' in result) await result.completed;
      items = session ? await session.getItems() : result.history;
      run.history = items;
      return String(result.finalOutput);
    });
  };

const agent = new SdkAgent({
  name: 'engineer',
  instructions: systemPrompt,
  model: 'gpt-5',
  modelSettings: { store: false, providerData: { include: ['reasoning.encrypted_content'] } },
  tools: tools.map(({ name, description, run: execute }) =>
    tool({ name, description, parameters: z.object({ path: z.string() }), execute }),
  ),
});

function userItem({ prompt, image }: Task): AgentInputItem {
  const text = { type: 'input_text' as const, text: prompt };
  const pictures = image ? [{ type: 'input_image' as const, image: urlOf(image) }] : [];
  return { type: 'message', role: 'user', content: [text, ...pictures] };
}
