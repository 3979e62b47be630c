import * as z from 'zod/mini';
import { fields, takes } from '../base/value-forms.js';
import type { ImageCost } from './image-cost.js';

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

export const imageCostSchema: z.ZodMiniType<ImageCost, ImageCost> = fields(figures);
