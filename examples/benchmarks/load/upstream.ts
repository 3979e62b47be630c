// The upstream: says when a request came and whose names it saw, streams an answer, and now and then fails as providers do.

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { now, tell } from './process.js';

/** Events of an answer, and ms between them. */
const [events, everyMs] = [20, 25];
/** Of so many requests one fails in this way. */
const faults = { 429: 61, 529: 127, cut: 131, hang: 401 } as const;

const isAnthropic = (url: string) => url.endsWith('/messages');

/** The event of a stream that reports usage, and those with words. */
function eventOf(url: string, left: number, tokens: number): string {
  const data = isAnthropic(url)
    ? left === events
      ? { type: 'message_start', message: { usage: { input_tokens: tokens } } }
      : { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: `word ${left} ` } }
    : left === 1
      ? { choices: [], usage: { prompt_tokens: tokens } }
      : { choices: [{ index: 0, delta: { content: `word ${left} ` } }] };
  return `data: ${JSON.stringify(data)}\n\n`;
}

function stream(response: ServerResponse, url: string, count: number, tokens: number, isCut: boolean): void {
  let left = count;
  const next = () => {
    if (response.destroyed) return;
    response.write(eventOf(url, left, tokens));
    left -= 1;
    if (isCut && left < count / 2) response.destroy();
    else if (left > 0) setTimeout(next, everyMs);
    else response.end('data: [DONE]\n\n');
  };
  next();
}

let number = 0;
const server = createServer((request, response) => {
  const came = now();
  const pieces: Buffer[] = [];
  request.on('error', () => {});
  response.on('error', () => {});
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const { url = '' } = request;
    const body = Buffer.concat(pieces);
    const names = new Set(body.toString('latin1').match(/agent\d+x/g));
    const head = { 'x-came': String(came), 'x-names': [...names].join() };
    // Requests that are sent beside the proxy, for comparison, never fail and are answered with one event.
    const isBeside = request.headers['x-beside'] !== undefined;
    if (!isBeside) number += 1;
    const isFault = (fault: keyof typeof faults) => !isBeside && number % faults[fault] === faults[fault] - 1;
    if (isFault('hang')) return;
    const status = isFault(429) ? 429 : isFault(529) ? 529 : 200;
    if (status !== 200) {
      response.writeHead(status, { ...head, 'content-type': 'application/json' });
      response.end('{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}');
      return;
    }
    response.writeHead(200, { ...head, 'content-type': 'text/event-stream' });
    stream(response, url, isBeside ? 1 : events, Math.round(body.length / 4), isFault('cut'));
  });
});
server.listen(0, '127.0.0.1', () => tell((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
