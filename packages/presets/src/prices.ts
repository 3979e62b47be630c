import type { ModelId, Rule } from '@ctx/core';
import { rowFor } from './model-name.js';

const claude = 'https://platform.claude.com/docs/en/about-claude/pricing';
const openai = 'https://developers.openai.com/api/docs/pricing';
const dev = 'https://github.com/anomalyco/models.dev/tree/dev/providers';

/**
 * Models | dollars for a million input tokens, if all that match have one price | reading the cache, writing it, as shares of that price | minutes
 * that the cache lives, the longest that is named, if any; of OpenAI's newer models, those that a request pays for | source; compared on
 * 2026-11-26. Surcharges for long requests are left out: they make a large request dearer still.
 */
const rows = `
claude-fable-5-1* claude-mythos-5-1* | 10 | 0.025 | 1.25 | 5 | ${claude}
claude-opus-5-5* | 4 | 0.05 | 1.25 | 5 | ${claude}
claude-sonnet-5-5* | 2 | 0.05 | 1.25 | 5 | ${claude}
claude-fable-5 claude-mythos-5 | 10 | 0.1 | 1.25 | 5 | ${claude}
claude-opus-5 claude-opus-4-5* claude-opus-4-6 claude-opus-4-7 claude-opus-4-8 | 5 | 0.1 | 1.25 | 5 | ${claude}
claude-opus-4 claude-opus-4-0 claude-opus-4-1* | 15 | 0.1 | 1.25 | 5 | ${claude}
claude-sonnet-5 | 2 | 0.1 | 1.25 | 5 | ${claude}
claude-sonnet-4* claude-3-7-sonnet* claude-3-5-sonnet* | 3 | 0.1 | 1.25 | 5 | ${claude}
claude-haiku-4-5* | 1 | 0.1 | 1.25 | 5 | ${claude}
claude* | | 0.1 | 1.25 | 5 | ${claude}
gpt-6.1-sol* | 2 | 0.05 | 1.25 | 30 | ${openai}
gpt-6-astra* | 10 | 0.1 | 1.25 | 30 | ${openai}
gpt-6-sol* gpt-5.6-sol* | 2 | 0.1 | 1.25 | 30 | ${openai}
gpt-6* gpt-5.6* | | 0.1 | 1.25 | 30 | ${openai}
gpt-5.5 | 5 | 0.1 | 1 | 1440 | ${dev}/openai/models/gpt-5.5.toml
gpt-5.4 | 2.5 | 0.1 | 1 | 1440 | ${dev}/openai/models/gpt-5.4.toml
gpt-5.2 gpt-5.2-codex | 1.75 | 0.1 | 1 | 1440 | ${dev}/openai/models/gpt-5.2.toml
gpt-5 gpt-5-20* gpt-5-codex gpt-5.1 gpt-5.1-codex | 1.25 | 0.1 | 1 | 1440 | ${dev}/openai/models/gpt-5.toml
gpt-5* | | 0.1 | 1 | 1440 | ${openai}
gemini-3.1-pro* gemini-3-pro* | 2 | 0.1 | 1 | 60 | ${dev}/google/models/gemini-3.1-pro-preview.toml
gemini-2.5-pro* | 1.25 | 0.1 | 1 | 60 | ${dev}/google/models/gemini-2.5-pro.toml
gemini-3* gemini-2.5* | | 0.1 | 1 | 60 | ${dev}/google/models
grok-4.5* grok-4.6* grok-4.7* | 2 | 0.25 | 1 | | ${dev}/xai/models/grok-4.7.toml
deepseek-v4-pro* | 1.32 | 0.033 | 1 | | ${dev}/deepseek/models/deepseek-v4-pro.toml
`;

const table = rows
  .trim()
  .split('\n')
  .map((row) => {
    const [models = '', ...cells] = row.split('|').map((cell) => cell.trim());
    const [perMillion, cacheRead, cacheWrite, cacheMinutes] = cells
      .slice(0, 4)
      .map((cell) => (cell === '' ? undefined : Number(cell)));
    return { models: models.split(' '), prices: { perMillion, cacheRead, cacheWrite, cacheMinutes } };
  });

/** The prices of a model's input, where they are known. */
export function pricesOf(id: ModelId): Rule['prices'] {
  return rowFor(table, id)?.prices;
}
