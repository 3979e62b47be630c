import type { Fields } from '@ctx/core/codec';
import { namedEvent, piecesOf } from '../stream-parts.js';

/** The events of a streamed message, with a ping as the API sends it. */
export function messageEvents(message: Fields): string[] {
  const { content, stop_reason, stop_sequence, usage } = message;
  const started = {
    ...message,
    content: [],
    stop_reason: null,
    usage: { ...(usage as Fields), output_tokens: 1 },
  };
  return [
    { type: 'message_start', message: started },
    { type: 'ping' },
    ...(content as Fields[]).flatMap(blockEvents),
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage },
    { type: 'message_stop' },
  ].map(namedEvent);
}

function blockEvents(block: Fields, index: number): Fields[] {
  const { empty, deltas } = partsOf(block);
  return [
    { type: 'content_block_start', index, content_block: empty },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

/** A block without what comes in deltas, and these. */
function partsOf(block: Fields): { readonly empty: Fields; readonly deltas: readonly Fields[] } {
  switch (block.type) {
    case 'text':
      return {
        empty: { ...block, text: '' },
        deltas: piecesOf(String(block.text)).map((text) => ({ type: 'text_delta', text })),
      };
    case 'thinking':
      return {
        empty: { ...block, thinking: '', signature: '' },
        deltas: [
          ...piecesOf(String(block.thinking)).map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: block.signature },
        ],
      };
    default:
      return {
        empty: { ...block, input: {} },
        deltas: piecesOf(JSON.stringify(block.input)).map((partial_json) => ({
          type: 'input_json_delta',
          partial_json,
        })),
      };
  }
}
