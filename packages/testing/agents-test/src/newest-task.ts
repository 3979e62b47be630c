import { agentScript, type Script } from '@ctx/testing';

/**
 * The script of a model that works for the newest task. An excerpt of what was said before is a message of the user's, and some SDKs make one
 * of two such messages.
 */
export const newestTask: Script = ({ prompt, ...seen }) =>
  agentScript()({ ...seen, prompt: prompt.slice(Math.max(0, prompt.lastIndexOf('Task '))) });
