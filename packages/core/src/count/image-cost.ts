import * as z from 'zod/mini';
import { type Filled, fields, takes } from '../base/value-forms.js';
import { imageSize } from './image-size.js';

const positive = (what: string) => takes(what, z.number().check(z.positive()));
const count = takes('a number of tokens', z.number().check(z.nonnegative()));
const figures = {
  tile: positive('a number of pixels above 0'),
  perTile: count,
  base: z.optional(count),
  longEdge: z.optional(positive('a number of pixels above 0')),
  shortEdge: z.optional(positive('a number of pixels above 0')),
  mostTiles: z.optional(positive('a number above 0')),
};

/** How a provider counts an image: it is scaled down, and divided into squares. */
export interface ImageCost {
  /** The edge of a square, in pixels. Squares at the border count whole. */
  readonly tile: Filled<typeof figures>['tile'];
  /** Tokens of a square. */
  readonly perTile: Filled<typeof figures>['perTile'];
  /** Tokens of an image whatever its size. @default 0 */
  readonly base?: Filled<typeof figures>['base'];
  /** Pixels to which the longer edge is scaled down. @default not scaled */
  readonly longEdge?: Filled<typeof figures>['longEdge'];
  /** Pixels to which the shorter edge is scaled down. @default not scaled */
  readonly shortEdge?: Filled<typeof figures>['shortEdge'];
  /** The most squares: a larger image is scaled down. @default no limit */
  readonly mostTiles?: Filled<typeof figures>['mostTiles'];
}

export const imageCostSchema: z.ZodMiniType<ImageCost, ImageCost> = fields(figures);

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
