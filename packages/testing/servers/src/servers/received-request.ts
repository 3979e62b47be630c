import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { type Fields, isFields } from '@ctx/core/codec';

/** A request that a server got, and what it did with it. */
export interface ReceivedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as it arrived, compressed or not. */
  readonly raw: Buffer;
  /** The body, decompressed. */
  readonly body: Buffer;
  /** The body as JSON; undefined if it is not an object. */
  readonly json?: Fields;
  /** Counts the requests for an answer, from 1; undefined for others. */
  readonly number?: number;
  /** Tokens of the request; undefined if it was refused before they were counted. */
  readonly tokens?: number;
  /** Those of them that begin an earlier request, too. */
  readonly cached?: number;
  /** `truncated` was answered without what did not fit, and nobody was told. */
  readonly outcome: 'accepted' | 'truncated' | 'invalid' | 'overflow' | 'refused' | 'fault';
  /** The provider's error, or what became of it, for a request that was not accepted. */
  readonly problem?: string;
}

/** The body of a request as it arrived, and decompressed. */
export async function bodyOf(request: IncomingMessage): Promise<{ raw: Buffer; body: Buffer }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks);
  return { raw, body: request.headers['content-encoding'] === 'gzip' ? unzipped(raw) : raw };
}

/** What cannot be decompressed is empty, and then no JSON. */
function unzipped(raw: Buffer): Buffer {
  try {
    return gunzipSync(raw);
  } catch {
    return Buffer.alloc(0);
  }
}

/** A body as JSON; undefined if it is not an object. */
export function jsonIn(body: Buffer): Fields | undefined {
  try {
    const json: unknown = JSON.parse(body.toString());
    return isFields(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
