import type { Warning } from '@ctx/conversation';
import { words } from '@ctx/testing';
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { createAgent, createMiddleware, FakeToolCallingModel } from 'langchain';
import { contextMiddleware } from '../src/index.js';

const summary = 'The files were looked at, and none was at fault. Next: the last one.';
const history: BaseMessage[] = [
  ...Array.from({ length: 60 }, (_, turn) => [
    new HumanMessage(`Look at file${turn}.ts`),
    new AIMessage(words(60, `line${turn}`)),
  ]).flat(),
  new HumanMessage('And now?'),
];

/** An agent whose history is too long, and what its model and the one that summarises were sent. */
async function run(answer: string) {
  const sent: BaseMessage[][] = [];
  const asked: string[] = [];
  const watching = createMiddleware({
    name: 'Watching',
    wrapModelCall(call, handler) {
      sent.push(call.messages);
      return handler(call);
    },
  });
  class Other extends FakeListChatModel {
    override async _generate(...args: Parameters<FakeListChatModel['_generate']>) {
      asked.push(args[0].map(({ text }) => text).join('\n'));
      return super._generate(...args);
    }
  }
  const warnings: Warning[] = [];
  const middleware = contextMiddleware({
    config: { contextWindow: 30_000, reserve: 0, trigger: { tokens: 3000 }, target: { tokens: 2000 } },
    summarize: new Other({ responses: [answer] }),
    onWarning: (warning) => warnings.push(warning),
  });
  const agent = createAgent({
    model: new FakeToolCallingModel({ toolCalls: [] }),
    tools: [],
    middleware: [middleware, watching],
  });
  await agent.invoke({ messages: history });
  return { asked, sent: (sent[0] ?? []).map(({ text }) => text).join('\n'), warnings };
}

test('the given model writes the summary, in one call, and the agent’s model gets it with an excerpt', async () => {
  const { asked, sent, warnings } = await run(summary);
  expect([asked.length, warnings]).toEqual([1, []]);
  expect(asked[0]).toContain('You sum up the work of an assistant');
  expect(sent).toContain(summary);
  expect(sent).toContain('[Excerpt of what was said before');
});

test('if its answer is useless, the excerpt is sent alone, with one warning', async () => {
  const { asked, sent, warnings } = await run('Error: overloaded');
  expect(asked).toHaveLength(1);
  expect(sent).toContain('[Excerpt of what was said before');
  expect(sent).not.toContain('Conversation Summary');
  expect(warnings.map(({ code }) => code)).toEqual(['summary-failed']);
});
