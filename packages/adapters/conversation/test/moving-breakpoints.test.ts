import { anthropicCodec, converseCodec } from '@ctx/codec-anthropic';
import { openaiCodec } from '@ctx/codec-openai';
import type { Codec, ContextManager } from '@ctx/core';
import { words } from '@ctx/testing';
import { Conversations } from '../src/index.js';
import { assistant, called, user } from './chat.js';

const ephemeral = { cache_control: { type: 'ephemeral' } };
const point = { cachePoint: { type: 'default', ttl: '1h' } };
const asked = (turn: number) => `Look at file ${turn}`;
const found = (turn: number) => words(300, `word${turn}`);

/** A turn of an agent: what it is asked, its call, the result and its answer; the result may carry the breakpoint. */
type TurnOf = (turn: number, isMarked: boolean) => object[];

const textOf = (turn: number, isMarked: boolean) =>
  isMarked ? [{ type: 'text', text: found(turn), ...ephemeral }] : found(turn);

const chat: TurnOf = (turn, isMarked) => {
  const [call, result] = called(`c${turn}`, 'read', '');
  return [user(asked(turn)), { ...call }, { ...result, content: textOf(turn, isMarked) }];
};

const messages: TurnOf = (turn, isMarked) => {
  const result = { type: 'tool_result', tool_use_id: `c${turn}`, content: textOf(turn, isMarked) };
  return [
    user(asked(turn)),
    { role: 'assistant', content: [{ type: 'tool_use', id: `c${turn}`, name: 'read', input: {} }] },
    { role: 'user', content: [result] },
    assistant('Read.'),
  ];
};

const converse: TurnOf = (turn, isMarked) => {
  const result = { toolResult: { toolUseId: `c${turn}`, content: [{ text: found(turn) }] } };
  return [
    { role: 'user', content: [{ text: asked(turn) }] },
    { role: 'assistant', content: [{ toolUse: { toolUseId: `c${turn}`, name: 'read', input: {} } }] },
    { role: 'user', content: isMarked ? [result, point] : [result] },
    { role: 'assistant', content: [{ text: 'Read.' }] },
  ];
};

test.each<[string, Codec<never>, TurnOf, (list: object[]) => unknown]>([
  ['chat', openaiCodec as Codec<never>, chat, (list) => list],
  ['Anthropic', anthropicCodec as Codec<never>, messages, (list) => ({ messages: list })],
  ['Converse', converseCodec as Codec<never>, converse, (list) => ({ messages: list })],
])(
  'a breakpoint on the newest result moves with it, and the conversation goes on: %s',
  async (_, codec, turnOf, whole) => {
    const managers: ContextManager[] = [];
    const of = new Conversations(codec, {
      config: { contextWindow: 8_000 },
      onManager: (manager) => managers.push(manager),
    });
    for (let turns = 1; turns <= 20; turns += 1) {
      const list = Array.from({ length: turns }, (_, at) => turnOf(at, at === turns - 1)).flat();
      const last = list.findLastIndex((one) => 'role' in one && one.role !== 'assistant');
      const turn = await of.turn(whole(list.slice(0, last + 1)) as never);
      const sent = JSON.stringify(await turn.prepare());
      expect(sent.split(/cache_control|cachePoint/)).toHaveLength(2);
    }
    expect(managers).toHaveLength(1);
    expect(managers[0]?.history.length).toBeGreaterThan(0);
    expect(managers[0]?.history.length).toBeLessThan(8);
  },
);
