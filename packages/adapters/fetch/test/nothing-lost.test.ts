import { words } from '@ctx/testing';
import { contextFetch } from '../src/index.js';

/* What agents send in a session of several tasks: each request has the task at hand, what the user typed first, and the file of rules. */

const rule = 'Never touch src/mod03.js: the release job writes it.';
const tasks = [
  'Raise the revision in src/mod01.js to src/mod05.js.',
  'Now do the same in src/mod06.js to src/mod14.js.',
] as const;
const rulesOf = (count: number) =>
  Array.from({ length: count }, (_, at) => `- Keep handler h${at} in queue q${at} small, and log it there.`);
const fixed = {
  model: 'claude-sonnet-4-5',
  max_tokens: 1_000,
  system: words(500, 'system'),
  tools: [{ name: 'read', description: words(3_000, 'tool'), input_schema: { type: 'object' } }],
};
/** What an agent says before the user does. */
const openings: Record<string, (rules: string) => string[]> = {
  'Claude Code': (rules) => [
    `<system-reminder>\nThe following skills are available:\n\n${words(400, 'skill')}\n</system-reminder>`,
    `<system-reminder>\nContents of /repo/CLAUDE.md (project instructions):\n\n${rules}\n</system-reminder>`,
  ],
  Codex: (rules) => [`# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\n${rules}\n</INSTRUCTIONS>`],
  'Gemini CLI': (rules) => [
    `<session_context>\nToday is Monday.\n--- Context from: /repo/GEMINI.md ---\n${rules}\n</session_context>`,
  ],
};

const said = (...texts: string[]) => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
});
const answer = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }] });
/** Reads of files of so many words, one after the other. */
const worked = (from: number, to: number, size = 700) =>
  Array.from({ length: to - from + 1 }, (_, at) => {
    const id = `${from + at}`;
    const content = `export const revision${id} = 1;\n${words(size, `w${id}x`)}`;
    return [
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id, name: 'read', input: { path: `src/mod${id}.js` } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
    ];
  });

/** How providers say that a request of so many tokens is too large by some. */
const refusals = {
  'the size and the limit': (tokens: number) =>
    `prompt is too long: ${tokens} tokens > ${tokens - 131} maximum`,
  'the limit': (tokens: number) => `This model's maximum context length is ${tokens - 131} tokens.`,
  nothing: () => 'Your input exceeds the context window of this model.',
};

interface Session {
  /** The first request, and what each later one has more. */
  readonly steps: readonly object[][];
  readonly window: number;
  /** The numbers of the requests that the provider refuses, and its words. */
  readonly refused: readonly number[];
  readonly saying: keyof typeof refusals;
  /** What a request of so many steps should hold. */
  readonly due: (steps: number) => readonly string[];
}

/** Plays a session; the statuses that the agent gets, and what is missing in the requests that the provider took, with their numbers. */
async function played({ steps, window, refused, saying, due }: Session) {
  const lost: { readonly request: number; readonly line: string }[] = [];
  let [asked, compressed] = [0, 0];
  const list: object[] = [];
  const statuses: number[] = [];
  const fetch = contextFetch({
    config: { contextWindow: window },
    onWarning: () => {},
    send: async (_input, init) => {
      asked += 1;
      const sent = String(init?.body);
      const message = refusals[saying](Math.round(sent.length / 3));
      const error = { type: 'error', error: { type: 'invalid_request_error', message } };
      if (refused.includes(asked)) return Response.json(error, { status: 400 });
      if (sent.includes('what was done, in order')) compressed += 1;
      const missing = due(statuses.length).filter((line) => !sent.includes(line));
      lost.push(...missing.map((line) => ({ request: asked, line })));
      return Response.json({});
    },
  });
  for (const step of steps) {
    list.push(...step);
    const body = JSON.stringify({ ...fixed, messages: list });
    const init = { method: 'POST', body, headers: { 'x-api-key': 'k' } };
    statuses.push((await fetch('https://api.anthropic.com/v1/messages', init)).status);
  }
  return { lost, compressed, statuses };
}

/** Two tasks, of which the second needs a word more. */
function twoTasks(opening: readonly string[], rules: readonly string[], window: number, refused: number[]) {
  const steps = [[said(...opening, rule)], [answer('Noted.'), said(tasks[0])], ...worked(1, 5)];
  steps.push([answer('All of them are raised.'), said(tasks[1])], ...worked(6, 9));
  steps.push([answer('Four are done. Shall I go on?'), said('Yes, go on.')], ...worked(10, 14));
  const due = (at: number) => [at === 0 ? '' : tasks[at < 7 ? 0 : 1], rule, ...rules];
  return played({ steps, window, refused, saying: 'the size and the limit', due });
}

describe.each(Object.entries(openings))('a session of %s', (_name, opening) => {
  test.each([
    ['tools, rules and one result are most of the window', 10_000, []],
    ['requests overflow', 16_000, [5, 11]],
  ])('has its task and all its rules in every request where %s', async (_case, window, overflowAt) => {
    const rules = rulesOf(90);
    const { lost, compressed } = await twoTasks(opening(rules.join('\n')), rules, window, overflowAt);
    expect(compressed).toBeGreaterThan(3);
    expect(lost).toEqual([]);
  });

  test.each(Object.keys(refusals) as Session['saying'][])(
    'goes on after a refusal of its first result that names %s: the result is cut before what the user said',
    async (saying) => {
      const rules = rulesOf(150);
      const steps = [[said(...opening(rules.join('\n')), rule, tasks[0])], ...worked(1, 3, 1_000)];
      const due = () => [tasks[0], rule, ...rules];
      const { statuses, lost } = await played({ steps, window: 16_000, refused: [2], saying, due });
      expect({ statuses, lost }).toEqual({ statuses: [200, 200, 200, 200], lost: [] });
    },
  );

  test('has its task, the rule and some lines of a file that is more than a quarter of the window', async () => {
    const rules = rulesOf(300);
    const { lost, compressed } = await twoTasks(opening(rules.join('\n')), rules, 12_000, []);
    expect(compressed).toBeGreaterThan(3);
    expect(lost.filter(({ line }) => !rules.includes(line))).toEqual([]);
    for (let request = 1; request <= 18; request += 1)
      expect(lost.filter((one) => one.request === request).length).toBeLessThan(rules.length);
  });
});
