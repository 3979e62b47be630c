import { gzipSync } from 'node:zlib';

/** A text for a page, compressed, in letters that mean nothing to HTML. */
export const packedText = (text: string): string => gzipSync(text).toString('base64');

/** Data for a page: its JSON, compressed. */
export const packed = (value: unknown): string => packedText(JSON.stringify(value));
