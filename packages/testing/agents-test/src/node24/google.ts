import { GoogleGenAI } from '@google/genai-3';
import type { Agent, AgentOptions } from '../agent.js';
import { googleLoop, partsIn } from '../google.js';

const clientFor = ({ baseURL, fetch }: AgentOptions) =>
  new GoogleGenAI({ apiKey: 'test', httpOptions: { baseUrl: baseURL, ...(fetch && { fetch }) } });

/** Google's SDK 3 with a model that signs its thoughts. */
export const google: Agent = (options) => {
  const client = clientFor(options);
  return googleLoop(options, async (request) => partsIn(await client.models.generateContent(request)));
};
