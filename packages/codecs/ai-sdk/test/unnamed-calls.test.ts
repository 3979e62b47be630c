import { type AnyModelMessage, modelMessageCodec } from '@ctx/codec-ai-sdk';
import { type Message, partsOf } from '@ctx/core';

const { toMessages, fromMessages } = modelMessageCodec;

describe('calls without ids', () => {
  const call = (path: string) => ({ type: 'tool-call', toolCallId: '', toolName: 'read', input: { path } });
  const result = (value: string) => ({
    type: 'tool-result',
    toolCallId: '',
    toolName: 'read',
    output: { type: 'text', value },
  });
  const history = [
    { role: 'assistant', content: [call('a'), call('b')] },
    { role: 'tool', content: [result('A'), result('B')] },
    { role: 'assistant', content: [call('c')] },
    { role: 'tool', content: [result('C')] },
  ] as AnyModelMessage[];

  const idsOf = (messages: readonly Message[]) =>
    messages.flatMap((message) =>
      partsOf(message).flatMap((part) => ('toolCallId' in part ? part.toolCallId : [])),
    );

  test('are answered in their order, also when they are read in pieces', () => {
    const whole = idsOf(toMessages(history));
    expect(whole).toEqual([whole[0], whole[1], whole[0], whole[1], whole[4], whole[4]]);
    expect(new Set(whole).size).toBe(3);
    for (let at = 1; at < history.length; at += 1) {
      const before = toMessages(history.slice(0, at));
      expect(idsOf([...before, ...toMessages(history.slice(at), { after: before })])).toEqual(whole);
    }
  });

  const shortened = (messages: readonly Message[]) =>
    messages.map((message) => {
      const content = partsOf(message).map((part) =>
        part.type === 'tool-call' ? { ...part, input: {} } : { ...part, output: 'short' },
      );
      return { ...message, content } as Message;
    });

  test('have none in an edited message either', () => {
    expect(fromMessages(shortened(toMessages(history)))).toMatchObject([
      { content: [{ toolCallId: '', input: {} }, { toolCallId: '' }] },
      { content: [result('short'), result('short')] },
      { content: [{ toolCallId: '', input: {} }] },
      { content: [result('short')] },
    ]);
  });

  test('keep their results where another result of the message is gone', () => {
    const [calls, results] = JSON.parse(JSON.stringify(toMessages(history))) as [Message, Message];
    const left = [
      { ...calls, content: partsOf(calls).slice(1) },
      { ...results, content: partsOf(results).slice(1) },
    ] as Message[];
    expect(fromMessages(left)).toEqual([
      { role: 'assistant', content: [call('b')] },
      { role: 'tool', content: [result('B')] },
    ]);
  });
});
