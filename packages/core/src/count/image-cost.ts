import { imageSize } from './image-size.js';

/** How a provider counts an image: it is scaled down, and divided into squares. */
export interface ImageCost {
  /** The edge of a square, in pixels. Squares at the border count whole. */
  readonly tile: number;
  /** Tokens of a square. */
  readonly perTile: number;
  /** Tokens of an image whatever its size. @default 0 */
  readonly base?: number | undefined;
  /** Pixels to which the longer edge is scaled down. @default not scaled */
  readonly longEdge?: number | undefined;
  /** Pixels to which the shorter edge is scaled down. @default not scaled */
  readonly shortEdge?: number | undefined;
  /** The most squares: a larger image is scaled down. @default no limit */
  readonly mostTiles?: number | undefined;
}

/** Where nothing is known of the provider. */
export const usualImageCost: ImageCost = { tile: 28, perTile: 1, longEdge: 1568, mostTiles: 1600 };

/** Tokens of an image by its pixels; `undefined` if they are not known. */
export function tokensByPixels(image: string, cost: ImageCost): number | undefined {
  const size = imageSize(image);
  if (size === undefined) return undefined;
  const { tile, perTile, base = 0, longEdge = Infinity, shortEdge = Infinity, mostTiles = Infinity } = cost;
  const { width, height } = size;
  const scale = Math.min(1, longEdge / Math.max(width, height), shortEdge / Math.min(width, height));
  const tiles = Math.ceil((width * scale) / tile) * Math.ceil((height * scale) / tile);
  return Math.ceil(base + perTile * Math.min(mostTiles, tiles));
}
