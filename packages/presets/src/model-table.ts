import type { Rule } from '@ctx/core';

/** What is known about the models that match some patterns. In tokens. */
export interface ModelEntry {
  /** Ids as `modelName` gives them, where * matches anything; the first entry that matches counts. */
  readonly models: readonly string[];
  /** The hard limit of a request. */
  readonly input: number;
  /** The longest answer. */
  readonly output: number;
  /** Request and answer together. @default the input: both share one window */
  readonly total?: number;
  readonly encoding?: Rule['encoding'];
  readonly reasoning?: Rule['reasoning'];
  /** True if nothing specific is known about the models: an assumption from others of that name. */
  readonly assumed?: true;
  /** The source. */
  readonly source: string;
}

/** The day on which the table was last compared with its sources. */
export const modelsCheckedOn = '2026-11-21';

const sites: Readonly<Record<string, (page: string) => string>> = {
  openai: (page) => `https://developers.openai.com/api/docs/models${page && `/${page}`}`,
  azure: () =>
    'https://learn.microsoft.com/azure/ai-foundry/foundry-models/concepts/models-sold-directly-by-azure',
  claude: () => 'https://platform.claude.com/docs/en/about-claude/models/overview',
  gemini: (page) => `https://ai.google.dev/gemini-api/docs/models${page && `/${page}`}`,
  dev: (page) => `https://github.com/anomalyco/models.dev/blob/dev/models/${page}.toml`,
  gateway: (page) => `https://vercel.com/ai-gateway/models/${page}`,
  https: (page) => `https:${page}`,
};

/** Models | input | output | source | what else is known. */
const rows = `
gpt-6* | 922_000 | 128_000 | dev:openai/gpt-6-astra | total 1_050_000
gpt-5.3-codex-spark* | 100_000 | 32_000 | dev:openai/gpt-5.3-codex-spark | total 128_000
gpt-5-chat* gpt-5.*-chat* | 128_000 | 16_384 | openai:gpt-5-chat-latest
gpt-5-pro* | 272_000 | 272_000 | openai:gpt-5-pro | total 400_000
gpt-5.4-mini* gpt-5.4-nano* gpt-5.5-instant* | 272_000 | 128_000 | openai:gpt-5.4-mini | total 400_000
gpt-5.4* gpt-5.5* gpt-5.6* | 922_000 | 128_000 | openai:gpt-5.6-sol | total 1_050_000
gpt-5 gpt-5-* gpt-5.1* gpt-5.2* gpt-5.3* | 272_000 | 128_000 | openai:gpt-5 | total 400_000
gpt-4.1* | 1_047_576 | 32_768 | openai:gpt-4.1
gpt-4.5* | 128_000 | 16_384 | openai:gpt-4.5-preview
gpt-4o* chatgpt-4o* | 128_000 | 16_384 | openai:gpt-4o
gpt-4-turbo* gpt-4-1106* gpt-4-0125* gpt-4-vision* | 128_000 | 4_096 | openai:gpt-4-turbo | cl100k
gpt-4-32k* | 32_768 | 32_768 | azure: | cl100k
gpt-4 gpt-4-* | 8_192 | 8_192 | openai:gpt-4 | cl100k
gpt-3.5* gpt-35* | 16_385 | 4_096 | openai:gpt-3.5-turbo | cl100k
gpt-oss* | 131_072 | 32_768 | dev:openai/gpt-oss-120b
o1-mini* | 128_000 | 65_536 | openai:o1-mini
o1-preview* | 128_000 | 32_768 | openai:o1-preview
o1 o1-* o3 o3-* o4-* codex-mini* | 200_000 | 100_000 | openai:o3
gpt-* | 128_000 | 16_384 | openai: | assumed
claude-fable-5-1* claude-mythos-5-1* claude-opus-5-5* claude-sonnet-5-5* claude-haiku-5-5* | 1_000_000 | 128_000 | claude: | bound
claude-fable-5 claude-mythos-5 claude-opus-5 claude-sonnet-5 | 1_000_000 | 128_000 | claude: | kept
claude-opus-4-6* claude-opus-4-7* claude-opus-4-8* claude-sonnet-4-6* | 1_000_000 | 128_000 | claude: | kept
claude-opus-4-5* claude-sonnet-4-5* claude-haiku-4-5* claude-sonnet-4 claude-sonnet-4-0 claude-4-sonnet claude-3-7-sonnet* | 200_000 | 64_000 | claude: | kept
claude-opus-4 claude-opus-4-0 claude-opus-4-1* claude-4-opus | 200_000 | 32_000 | claude: | kept
claude-3-5-* | 200_000 | 8_192 | claude: | kept
claude-3-* claude-2-1* | 200_000 | 4_096 | claude: | kept
claude-2* claude-v2* claude-instant* | 100_000 | 4_096 | claude: | kept
claude* | 200_000 | 64_000 | claude: | bound, assumed
gemini-3* gemini-2.5* | 1_048_576 | 65_536 | gemini:
gemini-2* | 1_048_576 | 8_192 | gemini:gemini-2.0-flash
gemini-1.5-pro* | 2_097_152 | 8_192 | gemini:
gemini-1.5* | 1_000_000 | 8_192 | gemini:
gemini-pro* gemini-1.0* | 32_760 | 8_192 | gemini:
gemini-* | 1_048_576 | 65_536 | gemini: | assumed
grok-code-fast* | 256_000 | 10_000 | dev:xai/grok-code-fast-1
grok-4-fast* grok-4-1-fast* grok-4.1-fast* | 2_000_000 | 30_000 | https://opencode.ai/data/xai/grok-4-1-fast.md
grok-4.20* grok-4.3* | 1_000_000 | 131_072 | https://docs.x.ai/developers/models/grok-4.20-0309.md
grok-4.5* grok-4.6* grok-4.7* | 500_000 | 500_000 | dev:xai/grok-4.7
grok-4 grok-4-* grok-build* | 256_000 | 256_000 | dev:xai/grok-4
grok-3* | 131_072 | 131_072 | gateway:grok-3-fast
deepseek-v4* deepseek-chat deepseek-reasoner | 1_000_000 | 384_000 | dev:deepseek/deepseek-v4-pro
deepseek-v3* deepseek-chat-v3* deepseek-r1* | 128_000 | 32_768 | dev:deepseek/deepseek-r1
qwen3-coder-plus* qwen3-coder-flash* | 1_000_000 | 65_536 | dev:alibaba/qwen3-coder-plus
qwen-plus* qwen3.6-plus* qwen3.5-plus* | 1_000_000 | 32_768 | dev:alibaba/qwen-plus
qwen3.7-max* | 991_000 | 65_536 | gateway:qwen3.7-max
qwen3-max* qwen3-coder* qwen3.5* qwen3-*-2507 | 262_144 | 65_536 | dev:alibaba/qwen3-coder-480b-a35b-instruct
qwen3-* | 131_072 | 16_384 | dev:alibaba/qwen3-32b
qwen2.5* qwen-2.5* | 131_072 | 8_192 | https://huggingface.co/Qwen/Qwen2.5-7B-Instruct
mistral-large-24* | 128_000 | 4_096 | https://ollama.com/library/mistral-large
mistral-large* mistral-medium-latest mistral-medium-3.5* devstral-2* devstral-latest | 262_144 | 262_144 | dev:mistral/mistral-large-latest
mistral-small-latest mistral-small-2603* mistral-small-4* | 256_000 | 256_000 | dev:mistral/mistral-small-latest
codestral* | 256_000 | 4_096 | dev:mistral/codestral-latest
mistral-* ministral-* magistral-* devstral-* | 128_000 | 8_192 | dev:mistral/mistral-large-latest | assumed
llama-4-* llama4-* | 1_000_000 | 16_384 | dev:meta/llama-4-maverick-17b-instruct
llama-3.1* llama-3.2* llama-3.3* llama3.1* llama3.2* llama3.3* llama3-1-* llama3-2-* llama3-3-* meta-llama-3.1* | 128_000 | 4_096 | dev:meta/llama-3.3-70b-instruct
glm-5.2* | 1_000_000 | 128_000 | https://github.com/orgs/cometapi-dev/discussions/108
glm-4.6* glm-4.7* glm-5 glm-5.1* | 202_752 | 131_072 | https://inference.readthedocs.io/en/v2.10.0/models/builtin/llm/glm-4.6.html
glm-4.5* | 131_072 | 98_304 | dev:zhipuai/glm-4.5
kimi-k3* | 1_048_576 | 262_144 | dev:moonshotai/kimi-k3
kimi-k2.* kimi-k2-0905* kimi-k2-thinking* | 262_144 | 65_536 | https://docs.venice.ai/models/kimi-k2-5.md
kimi-k2* | 131_072 | 16_384 | gateway:kimi-k2
`;

/** Limits of models, the most specific first. Rendered to docs/models.md by scripts/models.mjs. */
export const modelTable: readonly ModelEntry[] = rows.trim().split('\n').map(entryOf);

function entryOf(row: string): ModelEntry {
  const [models = '', input = '', output = '', source = '', notes = ''] = row.split(' | ');
  const tokens = (text: string) => Number(text.replaceAll('_', ''));
  const [site = '', page = ''] = source.split(/:(.*)/);
  const total = /total (\S+)/.exec(notes)?.[1]?.replace(',', '');
  const reasoning = /bound|kept/.exec(notes)?.[0] as ModelEntry['reasoning'];
  return {
    models: models.split(' '),
    input: tokens(input),
    output: tokens(output),
    source: sites[site]?.(page) ?? '',
    ...(total !== undefined && { total: tokens(total) }),
    ...(notes.includes('cl100k') && { encoding: 'cl100k_base' as const }),
    ...(reasoning !== undefined && { reasoning }),
    ...(notes.includes('assumed') && { assumed: true as const }),
  };
}
