import { deepFreeze } from '@ctx/testing';
import { type AnthropicConversation, anthropicCodec, type NativeMessage } from '../src/index.js';

const mark = { cache_control: { type: 'ephemeral', ttl: '1h' } } as const;
const says = (role: 'user' | 'assistant', text: string, marked = false): NativeMessage => ({
  role,
  content: [{ type: 'text', text, ...(marked && mark) }],
});
const settled = (messages: NativeMessage[], history: AnthropicConversation) =>
  anthropicCodec.settle?.(deepFreeze({ messages }), history).messages;

const [first, second, third, last] = [
  says('user', 'one', true),
  says('assistant', 'two', true),
  says('user', 'three'),
  says('assistant', 'four'),
] as const;
const history = deepFreeze({ messages: [first, second, third, last] });
const [kept3, kept4] = history.messages.slice(2) as [NativeMessage, NativeMessage];
const excerpt: NativeMessage = { role: 'user', content: 'what was said' };

test('the breakpoint of a message that left goes to what stands in its place', () => {
  expect(settled([excerpt, kept3, kept4], history)).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'what was said', ...mark }] },
    kept3,
    kept4,
  ]);
});

test('untouched messages stay the same objects, and nothing changes where no breakpoint is lost', () => {
  const whole = deepFreeze({ messages: [...history.messages] });
  expect(anthropicCodec.settle?.(whole, history)).toBe(whole);
  const [, third, fourth] = settled([excerpt, kept3, kept4], history) ?? [];
  expect([third, fourth]).toEqual([kept3, kept4]);
  expect(third === kept3 && fourth === kept4).toBe(true);
});

test('a breakpoint before which nothing is left goes with its message', () => {
  expect(settled([kept3, kept4], history)).toEqual([kept3, kept4]);
});

test('an edited message keeps its own', () => {
  const kept = { type: 'text', text: 'kept' } as const;
  const beginning = (text: string): NativeMessage => {
    return { role: 'user', content: [{ type: 'text', text, ...mark }, kept] };
  };
  const long = deepFreeze({ messages: [beginning('one')] });
  const conversation = { messages: [beginning('o…')] };
  expect(anthropicCodec.settle?.(conversation, long)).toBe(conversation);
});

test('never more than the provider allows, and none on thinking', () => {
  const thinking = deepFreeze({
    role: 'assistant' as const,
    content: [{ type: 'thinking' as const, thinking: 'hm', signature: 's' }],
  });
  const four = deepFreeze({ messages: ['a', 'b', 'c', 'd'].map((text) => says('user', text, true)) });
  const result = settled([thinking, excerpt], four) ?? [];
  expect(JSON.stringify(result).match(/cache_control/g)).toHaveLength(1);
  expect(result[0]).toBe(thinking);
});

test('a system message with settings and no content takes no breakpoint', () => {
  const settings = { role: 'system', output_config: { effort: 'low' } } as unknown as NativeMessage;
  expect(settled([settings, kept3, kept4], history)).toEqual([settings, kept3, kept4]);
  const whole = deepFreeze({ messages: [first, settings, third] });
  expect(settled([whole.messages[1] as NativeMessage, third], whole)).toEqual([settings, third]);
});
