interface Sdk {
  readonly of: readonly string[];
  readonly lines: readonly string[];
}

/** The line of each SDK, as its README has it. */
const sdks: readonly Sdk[] = [
  {
    of: ['anthropic', 'bedrock', 'amazon-bedrock'],
    lines: [
      "import Anthropic from '@anthropic-ai/sdk';",
      "import { contextFetch } from '@ctx/fetch';",
      'const anthropic = new Anthropic({ fetch: contextFetch() });',
    ],
  },
  {
    of: ['google', 'gemini', 'vertex', 'google-vertex'],
    lines: [
      "import { GoogleGenAI } from '@google/genai';",
      "import { contextFetch } from '@ctx/fetch';",
      'const google = new GoogleGenAI({ httpOptions: { fetch: contextFetch() } });',
    ],
  },
];

const openai: readonly string[] = [
  "import OpenAI from 'openai';",
  "import { contextFetch } from '@ctx/fetch';",
  'const openai = new OpenAI({ fetch: contextFetch() });',
];

/** What to put into an agent that talks to a provider: three lines. */
export function ownAgent(provider: string | undefined): readonly string[] {
  return sdks.find(({ of }) => of.includes(provider?.toLowerCase() ?? ''))?.lines ?? openai;
}
