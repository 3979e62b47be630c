import type { ModelServerOptions } from '@ctx/servers';
import { apis } from './apis.js';
import { answerTo } from './post.js';

const whole = 'export const value = 1; '.repeat(40);
const cut = `${whole.slice(0, 30)}…`;
const resultOf = (name: string) => (name === 'read' ? whole : undefined);

describe.each(Object.values(apis))('$path', (api) => {
  /** Asks with each of these texts as the newest result. */
  async function answersTo(
    texts: readonly string[],
    { name = 'read', ...options }: ModelServerOptions & { name?: string } = {},
  ) {
    const server = await api.start({ resultOf, ...options });
    const answers: unknown[] = [];
    for (const output of texts) {
      const list = [api.user('Look.'), ...api.round({ name, input: { path: 'a.ts' }, output })];
      const { status, json } = await answerTo(server, api.path, api.body(list), api.headers);
      answers.push(status === 200 ? 200 : json.error.message);
    }
    await server.close();
    return answers;
  }
  const refused = expect.stringContaining('(read) are not what the agent sent');

  test('the newest result as the tool returned it is taken, and another one is refused where the whole would fit', async () => {
    expect(await answersTo([whole, cut])).toEqual([200, refused]);
    expect(await answersTo([cut], { window: 10_000 })).toEqual([refused]);
  });

  test('it is taken after a refusal that named a smaller window, and refused again after an answer', async () => {
    const overflow = expect.stringMatching(/context|too long|token count/);
    expect(await answersTo([whole, cut, cut], { overflowAt: [1] })).toEqual([overflow, 200, refused]);
  });

  test('it is taken where the whole would not fit, and from a tool of somebody else', async () => {
    expect(await answersTo([cut], { window: 250 })).toEqual([200]);
    expect(await answersTo([cut], { name: 'recall' })).toEqual([200]);
  });
});
