import { type Message, partsOf } from '@ctx/core';
import { assistant, call, user } from '@ctx/testing';
import { Originals } from '../src/originals.js';

const entry = (id: string, message: Message) => ({ id, message, index: 0, exchange: 0 });
const toolCall = (toolCallId: string, input: object) =>
  ({ type: 'tool-call', toolCallId, toolName: 'write', input }) as const;

describe('the original of a part', () => {
  const a = toolCall('a', { path: 'a.ts', text: 'aaa' });
  const b = toolCall('b', { path: 'b.ts', text: 'bbb' });
  const said = assistant([{ type: 'text', text: 'I write.' }, a, b]);
  const originals = new Originals({ transcript: [entry('1', said)] });

  test('is the part itself if no edit changed the message', () => {
    expect(originals.partsOf({ id: '1', message: said })[1]).toBe(a);
  });

  test('is found by its position if a part was replaced', () => {
    const cut = toolCall('b', { path: 'b.ts', text: '…' });
    const edited = assistant([{ type: 'text', text: 'I …' }, a, cut]);
    expect(originals.partsOf({ id: '1', message: edited })).toEqual(partsOf(said));
  });

  test('is found by its call if another call of the message was dropped', () => {
    const cut = toolCall('b', { path: 'b.ts', text: '…' });
    const edited = assistant([{ type: 'text', text: 'I write.' }, cut]);
    expect(originals.partsOf({ id: '1', message: edited })[1]).toBe(b);
  });

  test('is the part itself if its kind changed, or if the message is not in the transcript', () => {
    const shown = user([{ type: 'image', image: 'aGVsbG8=', mediaType: 'image/png' }]);
    const left = user([{ type: 'text', text: '[image left out]' }]);
    const some = new Originals({ transcript: [entry('1', shown)] });
    expect(some.partsOf({ id: '1', message: left })).toEqual(left.content);
    expect(some.partsOf({ id: 'ctx:1', message: call('c', 'read', {}) })).toHaveLength(1);
  });
});
