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

const openai = 'https://developers.openai.com/api/docs/models';
const azure =
  'https://learn.microsoft.com/azure/ai-foundry/foundry-models/concepts/models-sold-directly-by-azure';
const claude = 'https://platform.claude.com/docs/en/about-claude/models/overview';
const gemini = 'https://ai.google.dev/gemini-api/docs/models';
const dev = (path: string) => `https://github.com/anomalyco/models.dev/blob/dev/models/${path}.toml`;
const gateway = (model: string) => `https://vercel.com/ai-gateway/models/${model}`;

const cl100k = 'cl100k_base' as const;
/** 400,000 in all; the answer has its own part of them. */
const gpt5 = { input: 272_000, output: 128_000, total: 400_000 };
const gpt5Long = { input: 922_000, output: 128_000, total: 1_050_000 };
const claude1M = { input: 1_000_000, output: 128_000, source: claude };
const claude200k = { input: 200_000, reasoning: 'kept' as const, source: claude };

/** Limits of models, the most specific first. Rendered to docs/models.md by scripts/models.mjs. */
export const modelTable: readonly ModelEntry[] = [
  { models: ['gpt-6*'], ...gpt5Long, source: dev('openai/gpt-6-astra') },
  {
    models: ['gpt-5.3-codex-spark*'],
    input: 100_000,
    output: 32_000,
    total: 128_000,
    source: dev('openai/gpt-5.3-codex-spark'),
  },
  {
    models: ['gpt-5-chat*', 'gpt-5.*-chat*'],
    input: 128_000,
    output: 16_384,
    source: `${openai}/gpt-5-chat-latest`,
  },
  { models: ['gpt-5-pro*'], input: 272_000, output: 272_000, total: 400_000, source: `${openai}/gpt-5-pro` },
  {
    models: ['gpt-5.4-mini*', 'gpt-5.4-nano*', 'gpt-5.5-instant*'],
    ...gpt5,
    source: `${openai}/gpt-5.4-mini`,
  },
  { models: ['gpt-5.4*', 'gpt-5.5*', 'gpt-5.6*'], ...gpt5Long, source: `${openai}/gpt-5.6-sol` },
  { models: ['gpt-5', 'gpt-5-*', 'gpt-5.1*', 'gpt-5.2*', 'gpt-5.3*'], ...gpt5, source: `${openai}/gpt-5` },
  { models: ['gpt-4.1*'], input: 1_047_576, output: 32_768, source: `${openai}/gpt-4.1` },
  { models: ['gpt-4.5*'], input: 128_000, output: 16_384, source: `${openai}/gpt-4.5-preview` },
  { models: ['gpt-4o*', 'chatgpt-4o*'], input: 128_000, output: 16_384, source: `${openai}/gpt-4o` },
  {
    models: ['gpt-4-turbo*', 'gpt-4-1106*', 'gpt-4-0125*', 'gpt-4-vision*'],
    input: 128_000,
    output: 4_096,
    encoding: cl100k,
    source: `${openai}/gpt-4-turbo`,
  },
  { models: ['gpt-4-32k*'], input: 32_768, output: 32_768, encoding: cl100k, source: azure },
  { models: ['gpt-4', 'gpt-4-*'], input: 8_192, output: 8_192, encoding: cl100k, source: `${openai}/gpt-4` },
  {
    models: ['gpt-3.5*', 'gpt-35*'],
    input: 16_385,
    output: 4_096,
    encoding: cl100k,
    source: `${openai}/gpt-3.5-turbo`,
  },
  { models: ['gpt-oss*'], input: 131_072, output: 32_768, source: dev('openai/gpt-oss-120b') },
  { models: ['o1-mini*'], input: 128_000, output: 65_536, source: `${openai}/o1-mini` },
  { models: ['o1-preview*'], input: 128_000, output: 32_768, source: `${openai}/o1-preview` },
  {
    models: ['o1', 'o1-*', 'o3', 'o3-*', 'o4-*', 'codex-mini*'],
    input: 200_000,
    output: 100_000,
    source: `${openai}/o3`,
  },
  { models: ['gpt-*'], input: 128_000, output: 16_384, assumed: true, source: openai },

  {
    models: [
      'claude-fable-5-1*',
      'claude-mythos-5-1*',
      'claude-opus-5-5*',
      'claude-sonnet-5-5*',
      'claude-haiku-5-5*',
    ],
    ...claude1M,
    reasoning: 'bound',
  },
  {
    models: ['claude-fable-5', 'claude-mythos-5', 'claude-opus-5', 'claude-sonnet-5'],
    ...claude1M,
    reasoning: 'kept',
  },
  {
    models: ['claude-opus-4-6*', 'claude-opus-4-7*', 'claude-opus-4-8*', 'claude-sonnet-4-6*'],
    ...claude1M,
    reasoning: 'kept',
  },
  {
    models: [
      'claude-opus-4-5*',
      'claude-sonnet-4-5*',
      'claude-haiku-4-5*',
      'claude-sonnet-4',
      'claude-sonnet-4-0',
      'claude-4-sonnet',
      'claude-3-7-sonnet*',
    ],
    ...claude200k,
    output: 64_000,
  },
  {
    models: ['claude-opus-4', 'claude-opus-4-0', 'claude-opus-4-1*', 'claude-4-opus'],
    ...claude200k,
    output: 32_000,
  },
  { models: ['claude-3-5-*'], ...claude200k, output: 8_192 },
  { models: ['claude-3-*', 'claude-2-1*'], ...claude200k, output: 4_096 },
  {
    models: ['claude-2*', 'claude-v2*', 'claude-instant*'],
    input: 100_000,
    output: 4_096,
    reasoning: 'kept',
    source: claude,
  },
  { models: ['claude*'], input: 200_000, output: 64_000, reasoning: 'bound', assumed: true, source: claude },

  { models: ['gemini-3*', 'gemini-2.5*'], input: 1_048_576, output: 65_536, source: gemini },
  { models: ['gemini-2*'], input: 1_048_576, output: 8_192, source: `${gemini}/gemini-2.0-flash` },
  { models: ['gemini-1.5-pro*'], input: 2_097_152, output: 8_192, source: gemini },
  { models: ['gemini-1.5*'], input: 1_000_000, output: 8_192, source: gemini },
  { models: ['gemini-pro*', 'gemini-1.0*'], input: 32_760, output: 8_192, source: gemini },
  { models: ['gemini-*'], input: 1_048_576, output: 65_536, assumed: true, source: gemini },

  { models: ['grok-code-fast*'], input: 256_000, output: 10_000, source: dev('xai/grok-code-fast-1') },
  {
    models: ['grok-4-fast*', 'grok-4-1-fast*', 'grok-4.1-fast*'],
    input: 2_000_000,
    output: 30_000,
    source: 'https://opencode.ai/data/xai/grok-4-1-fast.md',
  },
  {
    models: ['grok-4.20*', 'grok-4.3*'],
    input: 1_000_000,
    output: 131_072,
    source: 'https://docs.x.ai/developers/models/grok-4.20-0309.md',
  },
  {
    models: ['grok-4.5*', 'grok-4.6*', 'grok-4.7*'],
    input: 500_000,
    output: 500_000,
    source: dev('xai/grok-4.7'),
  },
  {
    models: ['grok-4', 'grok-4-*', 'grok-build*'],
    input: 256_000,
    output: 256_000,
    source: dev('xai/grok-4'),
  },
  { models: ['grok-3*'], input: 131_072, output: 131_072, source: gateway('grok-3-fast') },

  {
    models: ['deepseek-v4*', 'deepseek-chat', 'deepseek-reasoner'],
    input: 1_000_000,
    output: 384_000,
    source: dev('deepseek/deepseek-v4-pro'),
  },
  {
    models: ['deepseek-v3*', 'deepseek-chat-v3*', 'deepseek-r1*'],
    input: 128_000,
    output: 32_768,
    source: dev('deepseek/deepseek-r1'),
  },

  {
    models: ['qwen3-coder-plus*', 'qwen3-coder-flash*'],
    input: 1_000_000,
    output: 65_536,
    source: dev('alibaba/qwen3-coder-plus'),
  },
  {
    models: ['qwen-plus*', 'qwen3.6-plus*', 'qwen3.5-plus*'],
    input: 1_000_000,
    output: 32_768,
    source: dev('alibaba/qwen-plus'),
  },
  { models: ['qwen3.7-max*'], input: 991_000, output: 65_536, source: gateway('qwen3.7-max') },
  {
    models: ['qwen3-max*', 'qwen3-coder*', 'qwen3.5*', 'qwen3-*-2507'],
    input: 262_144,
    output: 65_536,
    source: dev('alibaba/qwen3-coder-480b-a35b-instruct'),
  },
  { models: ['qwen3-*'], input: 131_072, output: 16_384, source: dev('alibaba/qwen3-32b') },
  {
    models: ['qwen2.5*', 'qwen-2.5*'],
    input: 131_072,
    output: 8_192,
    source: 'https://huggingface.co/Qwen/Qwen2.5-7B-Instruct',
  },

  {
    models: ['mistral-large-24*'],
    input: 128_000,
    output: 4_096,
    source: 'https://ollama.com/library/mistral-large',
  },
  {
    models: [
      'mistral-large*',
      'mistral-medium-latest',
      'mistral-medium-3.5*',
      'devstral-2*',
      'devstral-latest',
    ],
    input: 262_144,
    output: 262_144,
    source: dev('mistral/mistral-large-latest'),
  },
  {
    models: ['mistral-small-latest', 'mistral-small-2603*', 'mistral-small-4*'],
    input: 256_000,
    output: 256_000,
    source: dev('mistral/mistral-small-latest'),
  },
  { models: ['codestral*'], input: 256_000, output: 4_096, source: dev('mistral/codestral-latest') },
  {
    models: ['mistral-*', 'ministral-*', 'magistral-*', 'devstral-*'],
    input: 128_000,
    output: 8_192,
    assumed: true,
    source: dev('mistral/mistral-large-latest'),
  },

  {
    models: ['llama-4-*', 'llama4-*'],
    input: 1_000_000,
    output: 16_384,
    source: dev('meta/llama-4-maverick-17b-instruct'),
  },
  {
    models: [
      'llama-3.1*',
      'llama-3.2*',
      'llama-3.3*',
      'llama3.1*',
      'llama3.2*',
      'llama3.3*',
      'llama3-1-*',
      'llama3-2-*',
      'llama3-3-*',
      'meta-llama-3.1*',
    ],
    input: 128_000,
    output: 4_096,
    source: dev('meta/llama-3.3-70b-instruct'),
  },

  {
    models: ['glm-5.2*'],
    input: 1_000_000,
    output: 128_000,
    source: 'https://github.com/orgs/cometapi-dev/discussions/108',
  },
  {
    models: ['glm-4.6*', 'glm-4.7*', 'glm-5', 'glm-5.1*'],
    input: 202_752,
    output: 131_072,
    source: 'https://inference.readthedocs.io/en/v2.10.0/models/builtin/llm/glm-4.6.html',
  },
  { models: ['glm-4.5*'], input: 131_072, output: 98_304, source: dev('zhipuai/glm-4.5') },

  { models: ['kimi-k3*'], input: 1_048_576, output: 262_144, source: dev('moonshotai/kimi-k3') },
  {
    models: ['kimi-k2.*', 'kimi-k2-0905*', 'kimi-k2-thinking*'],
    input: 262_144,
    output: 65_536,
    source: 'https://docs.venice.ai/models/kimi-k2-5.md',
  },
  { models: ['kimi-k2*'], input: 131_072, output: 16_384, source: gateway('kimi-k2') },
];
