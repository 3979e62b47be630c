import type { ModelId, Settings } from '@ctx/core';
import { rowFor } from './model-name.js';

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
const formulas = [
  { models: ['claude-3*', 'claude-*-4-5*'], images: claudeImages },
  { models: ['claude-*-4-7*', 'claude-*-4-8*', 'claude-*-5*'], images: newClaudeImages },
  { models: ['claude*'], images: claudeImages },
  { models: ['gpt-5.5*', 'gpt-6*'], images: gptPatches },
  { models: ['gpt-4*', 'gpt-5*', 'o1*', 'o3*'], images: gptTiles },
  { models: ['gemini-3*'], images: newGeminiImages },
  { models: ['gemini*'], images: geminiTiles },
];

/** How a model counts images; `undefined` if it is not known. */
export function imagesOf(id: ModelId): Settings['images'] | undefined {
  return rowFor(formulas, id)?.images;
}
