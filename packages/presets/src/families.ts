import type { Rule } from '@ctx/core';

/** Settings that a family of models shares, with the reason that the demo shows. */
export type Family = (typeof families)[number];

/**
 * Which strategy suits which models, the most specific first: name | `provider:`, `provider:model` or `model` that it matches | strategy |
 * warn, compress | messages at the start, at the end, at least | how it is counted | why.
 */
const rows = `
openai reasoning | :o1 :o1-* :o3* :o4* | middle-removal | 0.9 0.95 | 8 8 4 | known | reasoning models need much of the start and of the end
openai gpt | :gpt-4* :gpt-5* :gpt-6* :chatgpt-* | hybrid | 0.85 0.9 | 6 6 4 | known | start and end weigh the same in a general conversation
anthropic | anthropic: :claude* | oldest-removal | 0.85 0.92 | 5 7 4 | known | the newest messages weigh most
gemini 1.5 | :gemini*1.5* google:*1.5* | middle-removal | 0.9 0.95 | 10 10 4 | estimated | a very large window is compressed late and little
gemini | google: :gemini* | hybrid | 0.8 0.9 | 4 5 4 | estimated | the conversation decides, and the user’s words come first
local | lmstudio: ollama: | hybrid | 0.7 0.8 | 3 4 3 | estimated | a small window is compressed early and much
any other | : | hybrid | 0.8 0.9 | 4 5 4 | estimated | nothing is known of the model, so the conversation decides
`;

/** By family. An overhead is what a provider adds to each message and to a conversation, in tokens. */
const settings: Readonly<Record<string, Rule>> = {
  'openai reasoning': { overhead: { message: 3, conversation: 3 } },
  'openai gpt': { overhead: { message: 3, conversation: 3 } },
  anthropic: {
    overhead: { message: 2, conversation: 5 },
    leadingUser: true,
    // Of models that are not in the table.
    reasoning: 'bound',
    prior: { offset: 0, factor: 1.24, perToolCall: 66, withTools: 2000 },
  },
  'gemini 1.5': { leadingUser: true },
  gemini: { overhead: { message: 5, conversation: 10 }, leadingUser: true },
  'any other': { overhead: { message: 5, conversation: 10 } },
};

export const families = rows.trim().split('\n').map(familyIn);

function familyIn(row: string) {
  const [name = '', models = '', removal = '', shares = '', messages = '', counted, why = ''] =
    row.split(' | ');
  const [warn = 0, compress = 0] = shares.split(' ').map(Number);
  const [preserveStart = 0, preserveEnd = 0, minMessagesToKeep = 0] = messages.split(' ').map(Number);
  const matches = models.split(' ').map((one): Pick<Rule, 'provider' | 'model'> => {
    const [provider, model] = one.split(':');
    return { ...(provider && { provider }), ...(model && { model }) };
  });
  return {
    name,
    matches,
    removal,
    warn,
    compress,
    preserveStart,
    preserveEnd,
    minMessagesToKeep,
    why,
    settings: settings[name] ?? {},
    /** True for models that count with another encoding than OpenAI's, of which nothing more is known. */
    isEstimated: counted === 'estimated',
  };
}
