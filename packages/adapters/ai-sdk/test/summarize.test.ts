import type { Warning } from '@ctx/conversation';
import { contextMiddleware } from '../src/index.js';
import { longPrompt } from './histories.js';
import { type Call, sdks } from './sdks.js';

const summary = 'The files were looked at, and none was at fault. Next: the last one.';
const options = {
  config: { contextWindow: 30_000, reserve: 0, trigger: { tokens: 3000 }, target: { tokens: 2000 } },
};

describe.each(sdks.map((sdk) => [sdk.name, sdk] as const))('in %s', (_name, sdk) => {
  /** A language model that says this, and what it was asked. */
  function saying(text: string, id?: { provider: string; modelId: string }) {
    const calls: Call[] = [];
    const doGenerate = async (call: Call) => {
      calls.push(call);
      return { content: [{ type: 'text', text }], warnings: [], ...sdk.finished('stop', 50) };
    };
    return { model: sdk.model({ doGenerate }, id), calls };
  }

  function setUp(answer: string) {
    const [agent, other] = [saying('ok'), saying(answer, { provider: 'openai.chat', modelId: 'gpt-5-mini' })];
    const warnings: Warning[] = [];
    const middleware = contextMiddleware({
      ...options,
      summarize: other.model as never,
      onWarning: (warning) => warnings.push(warning),
    });
    const model = sdk.ai.wrapLanguageModel({ model: agent.model, middleware });
    return { model, agent, other, warnings };
  }

  test('the given model writes the summary, in one call, and the agent’s model gets it with an excerpt', async () => {
    const { model, agent, other, warnings } = setUp(summary);
    await model.doGenerate({ prompt: longPrompt(80) });
    expect([other.calls.length, agent.calls.length, warnings]).toEqual([1, 1, []]);
    expect(JSON.stringify(other.calls[0]?.prompt)).toContain('You sum up the work of an assistant');
    const sent = JSON.stringify(agent.calls[0]?.prompt);
    expect(sent).toContain(summary);
    expect(sent).toContain('[Excerpt of what was said before');
  });

  test('if its answer is useless, the excerpt is sent alone, with one warning', async () => {
    const { model, agent, warnings } = setUp('Error: overloaded');
    await model.doGenerate({ prompt: longPrompt(80) });
    const sent = JSON.stringify(agent.calls[0]?.prompt);
    expect(sent).toContain('[Excerpt of what was said before');
    expect(sent).not.toContain('Conversation Summary');
    expect(warnings.map(({ code }) => code)).toEqual(['summary-failed']);
  });
});
