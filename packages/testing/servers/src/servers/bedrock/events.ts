import type { Fields } from '@ctx/core/codec';
import { piecesOf } from '../stream-parts.js';

/** The messages of an event stream of AWS for an answer of the Converse API. */
export function converseEvents({ output, stopReason, usage, metrics }: Fields): Buffer[] {
  const { role, content } = (output as { message: Fields }).message;
  return [
    awsEvent('messageStart', { role }),
    ...(content as Fields[]).flatMap(blockEvents),
    awsEvent('messageStop', { stopReason }),
    awsEvent('metadata', { usage, metrics }),
  ];
}

function blockEvents(block: Fields, contentBlockIndex: number): Buffer[] {
  const { toolUse, reasoningContent, text } = block as Record<string, Fields | undefined>;
  const delta = (part: Fields) => awsEvent('contentBlockDelta', { contentBlockIndex, delta: part });
  const stop = awsEvent('contentBlockStop', { contentBlockIndex });
  if (toolUse !== undefined) {
    const { input, ...start } = toolUse;
    return [
      awsEvent('contentBlockStart', { contentBlockIndex, start: { toolUse: start } }),
      ...piecesOf(JSON.stringify(input)).map((piece) => delta({ toolUse: { input: piece } })),
      stop,
    ];
  }
  if (reasoningContent !== undefined) {
    const { text: thinking, signature } = reasoningContent.reasoningText as Fields;
    return [
      ...piecesOf(String(thinking)).map((piece) => delta({ reasoningContent: { text: piece } })),
      delta({ reasoningContent: { signature } }),
      stop,
    ];
  }
  return [...piecesOf(String(text)).map((piece) => delta({ text: piece })), stop];
}

/** A message of an event stream of AWS. */
export function awsEvent(name: string, payload: Fields, kind: 'event' | 'exception' = 'event'): Buffer {
  const headers = Buffer.concat([
    header(`:${kind}-type`, name),
    header(':content-type', 'application/json'),
    header(':message-type', kind),
  ]);
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(8);
  // The prelude, its checksum, headers, payload, and a checksum of all.
  prelude.writeUInt32BE(prelude.length + 4 + headers.length + body.length + 4, 0);
  prelude.writeUInt32BE(headers.length, 4);
  const message = Buffer.concat([prelude, checksum(prelude), headers, body]);
  return Buffer.concat([message, checksum(message)]);
}

function header(name: string, value: string): Buffer {
  const [key, text] = [Buffer.from(name), Buffer.from(value)];
  // 7 is the type of a text.
  return Buffer.concat([
    Buffer.from([key.length]),
    key,
    Buffer.from([7, text.length >> 8, text.length]),
    text,
  ]);
}

/** The CRC-32 of some bytes, bit by bit: answers of a test are short. */
function checksum(bytes: Buffer): Buffer {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  const written = Buffer.alloc(4);
  written.writeUInt32BE(~crc >>> 0);
  return written;
}
