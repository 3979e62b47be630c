import type { Message } from '@ctx/core';
import { and, assistant, call, result, transcript, user } from '@ctx/testing';
import { cutBefore, measure } from './small-cut.js';

const line = 'the total in src/sum.ts is rounded twice';
const before = transcript(
  user('Why is it wrong?'),
  call('1', 'read', { path: 'src/total.ts' }),
  result('1', `first\n${line}\nlast`),
);
const cut = cutBefore(before, [assistant('I change src/sum.ts.')]);
const [question, asked, answer] = before as [Message, Message, Message];

/** The figure, which is 100 or 0 because only one atom is needed. Its context always survives. */
function groundedIn(compressed: readonly Message[], of = cut): number {
  const { ctx, grounded } = measure(of, compressed);
  expect(ctx).toBe(100);
  return grounded;
}

describe('a line of a result is grounded', () => {
  test('in its original message, next to its call', () => {
    expect(groundedIn(before)).toBe(100);
    expect(groundedIn([asked, answer])).toBe(100);
  });

  test('in the rest of its message after it was cut', () => {
    expect(groundedIn([asked, result('1', `[…]\n${line}\n[…]`)])).toBe(100);
  });

  test.each<[string, Message[]]>([
    ['is gone', [question, answer]],
    ['has another path', [call('1', 'read', { path: 'src/other.ts' }), answer]],
    ['has a longer path', [call('1', 'read', { path: 'src/total.tsx' }), answer]],
    ['lost its path', [call('1', 'read', {}), answer]],
    ['is another one', [call('2', 'read', { path: 'src/total.ts' }), result('2', line)]],
  ])('not if its call %s', (_what, compressed) => {
    expect(groundedIn(compressed)).toBe(0);
  });

  test('if other arguments of its call are gone', () => {
    const wrote = transcript(
      call('1', 'write', { text: 'a long text', path: 'src/total.ts' }),
      result('1', line),
    );
    const writing = cutBefore(wrote, [assistant('src/sum.ts')]);
    expect(groundedIn([call('1', 'write', { path: 'src/total.ts' }), result('1', line)], writing)).toBe(100);
  });

  test('if a long command is cut', () => {
    const command = 'cd packages/core && npm test -- --watch=false --coverage';
    const ran = cutBefore(transcript(call('1', 'bash', { command }), result('1', line)), [
      assistant('src/sum.ts'),
    ]);
    expect(
      groundedIn([call('1', 'bash', { command: `${command.slice(0, 30)}…` }), result('1', line)], ran),
    ).toBe(100);
    expect(groundedIn([call('1', 'bash', { command: 'cd packages …' }), result('1', line)], ran)).toBe(0);
  });

  test('if its call has no arguments at all', () => {
    const ran = cutBefore(transcript(call('1', 'status', {}), result('1', line)), [assistant('src/sum.ts')]);
    expect(groundedIn([call('1', 'status', {}), result('1', line)], ran)).toBe(100);
  });

  test('if the same id was used for another call before or since', () => {
    const reused = (path: string, text: string) => [call('1', 'read', { path }), result('1', text)];
    const twice = transcript(...reused('src/total.ts', line), ...reused('lib/b.ts', 'other'));
    const again = cutBefore(twice, [assistant('src/sum.ts')]);
    expect(groundedIn(twice, again)).toBe(100);
    expect(groundedIn(twice.slice(0, 2), again)).toBe(100);
    expect(groundedIn(transcript(...reused('lib/b.ts', line)), again)).toBe(0);
  });

  test('among parallel calls by its own', () => {
    const parallel = transcript(
      and(call('1', 'read', { path: 'src/total.ts' }), call('2', 'read', { path: 'lib/b.ts' })),
      and(result('1', line), result('2', 'other')),
    );
    const both = cutBefore(parallel, [assistant('src/sum.ts')]);
    expect(groundedIn(parallel, both)).toBe(100);
    expect(groundedIn(transcript(call('2', 'read', { path: 'lib/b.ts' }), result('2', line)), both)).toBe(0);
  });
});

describe('a line is grounded under a heading', () => {
  const under = (heading: string) => [user(`Earlier:\n\n${heading}\n\nfirst\n${line}\n`, { summary: true })];

  test.each<[string, string]>([
    ['tool and path', '## read src/total.ts'],
    ['tool and path, whatever the case and the level', '### Read `SRC/total.ts`:'],
    ['tool and path among other words', '# Result of read (src/total.ts, 3 lines)'],
  ])('that names %s', (_what, heading) => {
    expect(groundedIn(under(heading))).toBe(100);
  });

  test.each<[string, string]>([
    ['has no path', '## read'],
    ['names another path', '## read src/other.ts'],
    ['names a longer path', '## read src/total.tsx'],
    ['names another tool', '## bash src/total.ts'],
    ['has the tool in a longer word', '## thread src/total.ts'],
    ['names somebody else', '## user'],
    ['is none', 'read src/total.ts'],
    ['is code', '    # read src/total.ts'],
    ['is no heading for want of a space', '#read src/total.ts'],
  ])('not if it %s', (_what, heading) => {
    expect(groundedIn(under(heading))).toBe(0);
  });

  test('only up to the next one', () => {
    const text = `## read src/total.ts\nfirst\n## read src/other.ts\n${line}`;
    expect(groundedIn([user(text, { summary: true })])).toBe(0);
  });

  test('not if the heading comes after it', () => {
    expect(groundedIn([user(`${line}\n## read src/total.ts\nfirst`, { summary: true })])).toBe(0);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['command', { command: 'npm test -- sum' }, '## run npm test -- sum'],
    ['query', { limit: 3, query: 'rounded twice' }, '## run "rounded twice"'],
    ['pattern', { flags: 'i', pattern: 'total' }, '## run total'],
    ['first argument, if it has none of these', { id: 4821, by: 'me' }, '## run 4821'],
  ])('that names the %s of the call', (_what, input, heading) => {
    const ran = cutBefore(transcript(call('1', 'run', input), result('1', line)), [assistant('src/sum.ts')]);
    expect(groundedIn(under(heading), ran)).toBe(100);
    expect(groundedIn(under('## run something else'), ran)).toBe(0);
  });

  test('that names the first or the last 24 characters of a long command', () => {
    const command = 'cd packages/core && npm test -- --watch=false --coverage';
    const ran = cutBefore(transcript(call('1', 'bash', { command }), result('1', line)), [
      assistant('src/sum.ts'),
    ]);
    expect(groundedIn(under(`## bash ${command.slice(0, 24)}…`), ran)).toBe(100);
    expect(groundedIn(under(`## bash …${command.slice(-24)}`), ran)).toBe(100);
    expect(groundedIn(under(`## bash ${command.slice(0, 23)}…`), ran)).toBe(0);
  });

  test('of a tool alone, if the call has no arguments', () => {
    const ran = cutBefore(transcript(call('1', 'status', {}), result('1', line)), [assistant('src/sum.ts')]);
    expect(groundedIn(under('## status'), ran)).toBe(100);
  });

  test('with the argument of a call that needs it', () => {
    const called = cutBefore(
      transcript(call('1', 'edit', { path: 'src/total.ts', text: line }), result('1', 'ok')),
      [assistant('src/sum.ts')],
    );
    expect(groundedIn(under('## edit src/total.ts'), called)).toBe(100);
    expect(groundedIn(under('## assistant'), called)).toBe(100);
  });
});

describe('what somebody said is grounded', () => {
  const told = cutBefore([user(`See, ${line}!`), assistant('ok')], [assistant('src/sum.ts')]);
  const summary = (text: string) => [user(text, { summary: true })];

  test('in a message of the same speaker', () => {
    expect(groundedIn([user(`See, ${line}!`)], told)).toBe(100);
    expect(groundedIn([assistant(`See, ${line}!`)], told)).toBe(0);
  });

  test.each([
    ['## user', 100],
    ['## What the user said', 100],
    ["## The user's wishes", 100],
    ['## assistant', 0],
    ['## users', 0],
    ['## user-defined types', 0],
    ['## src/user.ts', 0],
    ['## bash adduser', 0],
  ])('under "%s": %d', (heading, grounded) => {
    expect(groundedIn(summary(`${heading}\nSee, ${line}!`), told)).toBe(grounded);
  });

  test('not under a heading that begins with a tool, even if it contains the speaker', () => {
    const ran = transcript(
      user(`See, ${line}!`),
      call('1', 'bash', { command: 'id user' }),
      result('1', 'ok'),
    );
    const running = cutBefore(ran, [assistant('src/sum.ts')]);
    expect(groundedIn(summary(`## bash id user\nSee, ${line}!`), running)).toBe(0);
  });
});

describe('a heap of lines', () => {
  test('scores ctx but is not grounded', () => {
    const heap = user(`Lines of what was said before:\nfirst\n${line}\nlast`, { summary: true });
    expect(measure(cut, [heap])).toMatchObject({
      survival: 100,
      ctx: 100,
      usableCtx: 100,
      grounded: 0,
      usableGrounded: 0,
    });
  });

  test('is not attributed to the user just because it has the user’s role', () => {
    expect(groundedIn([user(`first\n${line}\nlast`)])).toBe(0);
  });

  test('is grounded in the part that has a heading', () => {
    const two = cutBefore(
      transcript(
        call('1', 'read', { path: 'a/one.ts' }),
        result('1', 'here is first_name of all'),
        call('2', 'read', { path: 'a/two.ts' }),
        result('2', 'here is second_name of all'),
      ),
      [assistant('first_name second_name')],
    );
    const text = 'here is first_name of all\n\n## read a/two.ts\nhere is second_name of all';
    expect(measure(two, [user(text, { summary: true })])).toMatchObject({ ctx: 100, grounded: 50 });
  });
});
