import type { ModelId, Rule, Settings } from '@ctx/core';
import { matches } from '@ctx/core/kit';

type Images = Settings['images'];

/**
 * How providers count images, as their documents and measurements of 2026 say it (Claude's vision guide; OpenAI's guide to images; Gemini's
 * to media resolution). Reported usage corrects it.
 */
const claudeImages = { tile: 28, perTile: 1, longEdge: 1568, mostTiles: 1600 };
const newClaudeImages = { tile: 28, perTile: 1, longEdge: 2040, mostTiles: 4784 };
const gptTiles = { base: 85, tile: 512, perTile: 170, longEdge: 2048, shortEdge: 768 };
const gptPatches = { tile: 32, perTile: 1.2, mostTiles: 10_000 };
const geminiTiles = { tile: 768, perTile: 258 };
/** Whatever their size. */
const newGeminiImages = { base: 1100, tile: 768, perTile: 0 };

/** The most specific first. */
const formulas: readonly (Pick<Rule, 'model'> & { readonly images: Images })[] = [
  { model: 'claude-3*', images: claudeImages },
  { model: 'claude-*-4-5*', images: claudeImages },
  { model: 'claude-*-4-7*', images: newClaudeImages },
  { model: 'claude-*-4-8*', images: newClaudeImages },
  { model: 'claude-*-5*', images: newClaudeImages },
  { model: 'claude*', images: claudeImages },
  { model: 'gpt-5.5*', images: gptPatches },
  { model: 'gpt-6*', images: gptPatches },
  { model: 'gpt-4*', images: gptTiles },
  { model: 'gpt-5*', images: gptTiles },
  { model: 'o1*', images: gptTiles },
  { model: 'o3*', images: gptTiles },
  { model: 'gemini-3*', images: newGeminiImages },
  { model: 'gemini*', images: geminiTiles },
];

/** How a model counts images; `undefined` if it is not known. */
export function imagesOf(model: ModelId): Images | undefined {
  return formulas.find((formula) => matches(formula, model))?.images;
}
