/** One story in the format of each agent, as the agent would have written it. */
import type { SessionFormat } from '@ctx/sessions';
import { jsonLines } from './session-file.js';

export interface Story {
  readonly format: SessionFormat;
  /** Lines of the file, or the only record of a document. */
  readonly records: readonly object[];
  readonly isDocument?: boolean;
  readonly leftOut: Readonly<Record<string, number>>;
  /** A record of a kind that no version had so far, and the name under which it is counted. */
  readonly unknown?: readonly [record: object, name: string];
  /** What replaced the beginning, as an outline. */
  readonly replacement: readonly string[];
  /** The window that the file names. */
  readonly contextWindow?: number;
}

const time = (second: number) => new Date(1_790_000_000_000 + second * 1000).toISOString();
const ms = (second: number) => 1_790_000_000_000 + second * 1000;

export const summary = 'So far: a.ts was read.';

/** What every reader makes of its file. */
export const outlineOfStory = [
  'user Look at a.ts',
  'assistant call a call b I look',
  'tool result a one',
  'tool result b two',
  'assistant Done with it',
  'user Go on',
  'assistant call c I go on',
  'tool result c No such file',
  'assistant That is all',
];

/** Positions of the calls in the story, and the tokens of each response. */
const reportAt = (index: number) => ({ index, inputTokens: 100 + index, outputTokens: 10 + index });
export const usageOfStory = [1, 4, 6, 8].map(reportAt);
const tokens = (index: number) => ({ input: 100 + index, output: 10 + index });

const read = { path: 'a.ts' };
const list = { command: 'ls' };
const noFile = 'No such file';

const claudeCode = (): Story => {
  let count = 0;
  const line = (type: string, fields: object) => {
    count += 1;
    return {
      type,
      sessionId: 's1',
      uuid: `u${count}`,
      isSidechain: false,
      timestamp: time(count),
      ...fields,
    };
  };
  const user = (content: unknown, more: object = {}) =>
    line('user', { message: { role: 'user', content }, ...more });
  const said = (id: string, index: number, ...content: object[]) => {
    const { input, output } = tokens(index);
    const usage = { input_tokens: input, output_tokens: output };
    return content.map((block) =>
      line('assistant', { message: { id, role: 'assistant', model: 'm', content: [block], usage } }),
    );
  };
  const result = (id: string, content: string, more: object = {}) =>
    user([{ type: 'tool_result', tool_use_id: id, content, ...more }]);
  return {
    format: 'claude-code',
    records: [
      user('Look at a.ts'),
      ...said(
        'm1',
        1,
        { type: 'thinking', thinking: 'Hm', signature: 'sig' },
        { type: 'text', text: 'I look' },
        { type: 'tool_use', id: 'a', name: 'read', input: read },
        { type: 'tool_use', id: 'b', name: 'bash', input: list },
      ),
      result('a', 'one'),
      result('b', 'two'),
      ...said('m2', 4, { type: 'text', text: 'Done with it' }),
      line('system', {
        subtype: 'compact_boundary',
        compactMetadata: { trigger: 'auto', preTokens: 900, postTokens: 90 },
      }),
      user(summary, { isCompactSummary: true }),
      user('Go on'),
      ...said(
        'm3',
        6,
        { type: 'text', text: 'I go on' },
        { type: 'tool_use', id: 'c', name: 'bash', input: list },
      ),
      result('c', 'No such file', { is_error: true }),
      ...said('m4', 8, { type: 'text', text: 'That is all' }),
    ],
    leftOut: { system: 1 },
    unknown: [line('brand-new', { data: 1 }), 'brand-new'],
    replacement: [`user ${summary}`],
  };
};

const codex = (): Story => {
  let count = 0;
  let total = 0;
  const model_context_window = 190_000;
  const line = (type: string, payload: object) => {
    count += 1;
    return { timestamp: time(count), ordinal: count - 1, type, payload };
  };
  const item = (payload: object) => line('response_item', payload);
  const said = (role: string, text: string) =>
    item({
      type: 'message',
      role,
      content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
    });
  const call = (id: string, name: string, input: object) =>
    item({ type: 'function_call', call_id: id, name, arguments: JSON.stringify(input) });
  const output = (id: string, text: string) =>
    item({ type: 'function_call_output', call_id: id, output: text });
  const used = (index: number) => {
    const { input, output: out } = tokens(index);
    total += input + out;
    const usage = { input_tokens: input, output_tokens: out };
    return line('event_msg', {
      type: 'token_count',
      info: { last_token_usage: usage, total_token_usage: { total_tokens: total }, model_context_window },
    });
  };
  return {
    format: 'codex',
    contextWindow: model_context_window,
    records: [
      line('session_meta', { id: 's1', cwd: '/work', model_provider: 'openai' }),
      line('turn_context', { model: 'm' }),
      said('user', 'Look at a.ts'),
      item({ type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm' }] }),
      said('assistant', 'I look'),
      call('a', 'read', read),
      call('b', 'bash', list),
      output('a', 'one'),
      used(1),
      output('b', 'two'),
      said('assistant', 'Done with it'),
      used(4),
      line('compacted', {
        message: summary,
        replacement_history: [
          { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Look at a.ts' }] },
          { type: 'message', role: 'user', content: [{ type: 'input_text', text: summary }] },
        ],
      }),
      said('user', 'Go on'),
      said('assistant', 'I go on'),
      call('c', 'bash', list),
      output('c', 'No such file'),
      used(6),
      said('assistant', 'That is all'),
      used(8),
    ],
    leftOut: { session_meta: 1, turn_context: 1, 'event_msg:token_count': 4 },
    unknown: [line('event_msg', { type: 'brand_new' }), 'event_msg:brand_new'],
    replacement: ['user Look at a.ts', `user ${summary}`],
  };
};

const copilot = (): Story => {
  let count = 0;
  const event = (type: string, data: object) => {
    count += 1;
    return {
      type,
      data,
      id: `e${count}`,
      timestamp: time(count),
      parentId: count === 1 ? null : `e${count - 1}`,
    };
  };
  const user = (content: string) => event('user.message', { content, transformedContent: content });
  const used = (index: number) => {
    const { input: inputTokens, output: outputTokens } = tokens(index);
    return event('session.usage_record', { usage: { inputTokens, outputTokens, providerType: 'openai' } });
  };
  const said = (content: string, toolRequests: object[] = [], more: object = {}) =>
    event('assistant.message', { content, model: 'm', toolRequests, ...more });
  const result = (toolCallId: string, content: string) =>
    event('tool.execution_complete', { toolCallId, success: true, result: { content } });
  return {
    format: 'copilot',
    contextWindow: 14_500,
    records: [
      event('session.start', { sessionId: 's1', selectedModel: 'm' }),
      user('Look at a.ts'),
      used(1),
      said(
        'I look',
        [
          { toolCallId: 'a', name: 'read', arguments: read, type: 'function' },
          { toolCallId: 'b', name: 'bash', arguments: list, type: 'function' },
        ],
        { reasoningText: 'Hm' },
      ),
      result('a', 'one'),
      result('b', 'two'),
      used(4),
      said('Done with it'),
      event('session.compaction_start', { currentTokens: 900, tokenLimit: 14_500 }),
      user('Go on'),
      event('session.compaction_complete', {
        success: true,
        summaryContent: summary,
        trigger: 'auto',
        preCompactionTokens: 900,
        postCompactionTokens: 90,
      }),
      used(6),
      said('I go on', [{ toolCallId: 'c', name: 'bash', arguments: list, type: 'function' }]),
      event('tool.execution_complete', {
        toolCallId: 'c',
        success: false,
        error: { message: 'No such file' },
      }),
      used(8),
      said('That is all'),
    ],
    leftOut: { 'session.start': 1, 'session.usage_record': 4, 'session.compaction_start': 1 },
    unknown: [event('session.brand_new', {}), 'session.brand_new'],
    replacement: [`user ${summary}`],
  };
};

const gemini = (): Story => {
  const head = { sessionId: 's1', projectHash: 'h', startTime: time(0), lastUpdated: time(0), kind: 'main' };
  const message = (id: string, type: string, content: unknown, more: object = {}) => ({
    ...{ id, timestamp: time(1), type, content },
    ...more,
  });
  const user = (id: string, text: string) => message(id, 'user', [{ text }]);
  const used = (index: number) => ({
    tokens: { ...tokens(index), cached: 0, thoughts: 0, tool: 0 },
    model: 'm',
  });
  const response = (id: string, name: string, body: object) => ({
    functionResponse: { id, name, response: body },
  });
  const call = (id: string, name: string, args: object, body: object) => ({
    ...{ id, name, args, status: 'success', timestamp: time(2) },
    result: [response(id, name, body)],
  });
  const thoughts = [{ subject: '', description: 'Hm', timestamp: time(1) }];
  const first = message('g1', 'gemini', 'I look', { thoughts, ...used(1) });
  return {
    format: 'gemini',
    records: [
      head,
      user('1', 'Look at a.ts'),
      first,
      {
        ...first,
        toolCalls: [call('a', 'read', read, { output: 'one' }), call('b', 'bash', list, { output: 'two' })],
      },
      message('2', 'user', [
        response('a', 'read', { output: 'one' }),
        response('b', 'bash', { output: 'two' }),
      ]),
      { $set: { lastUpdated: time(3) } },
      message('g2', 'gemini', 'Done with it', used(4)),
      { $set: { messages: [user('3', summary), message('g3', 'gemini', [{ text: 'Got it.' }])] } },
      user('4', 'Go on'),
      message('g4', 'gemini', 'I go on', {
        ...used(6),
        toolCalls: [call('c', 'bash', list, { error: noFile })],
      }),
      message('g5', 'gemini', 'That is all', used(8)),
    ],
    leftOut: { head: 1, 'repeated-result': 2, $set: 1 },
    unknown: [message('n', 'brand-new', 'x'), 'brand-new'],
    replacement: [`user ${summary}`, 'assistant Got it.'],
  };
};

const opencode = (): Story => {
  const user = (id: string, ...parts: object[]) => ({
    info: { id, role: 'user', time: { created: ms(1) } },
    parts,
  });
  const said = (id: string, index: number, parts: object[], more: object = {}) => {
    const { input, output } = tokens(index);
    const used = { input, output, reasoning: 0, cache: { read: 0, write: 0 } };
    const model = { modelID: 'm', providerID: 'p' };
    const info = { id, role: 'assistant', ...model, time: { created: ms(2) }, tokens: used };
    return { info: { ...info, ...more }, parts };
  };
  const text = (value: string) => ({ type: 'text', text: value });
  const tool = (callID: string, name: string, input: object, state: object) => ({
    ...{ type: 'tool', tool: name, callID },
    state: { input, time: { start: ms(2), end: ms(3) }, ...state },
  });
  return {
    format: 'opencode',
    isDocument: true,
    records: [
      {
        info: { id: 's1', title: 'Story' },
        messages: [
          user('m1', text('Look at a.ts')),
          said('m2', 1, [
            { type: 'step-start' },
            { type: 'reasoning', text: 'Hm' },
            text('I look'),
            tool('a', 'read', read, { status: 'completed', output: 'one' }),
            tool('b', 'bash', list, { status: 'completed', output: 'two' }),
            { type: 'brand-new' },
          ]),
          said('m3', 4, [text('Done with it')]),
          user('m4', { type: 'compaction', auto: true }),
          said('m5', 5, [text(summary)], { summary: true, parentID: 'm4', mode: 'compaction' }),
          user('m6', text('Go on')),
          said('m7', 6, [text('I go on'), tool('c', 'bash', list, { status: 'error', error: noFile })]),
          said('m8', 8, [text('That is all')]),
        ],
      },
    ],
    leftOut: { 'step-start': 1, 'brand-new': 1 },
    replacement: ['user What did we do so far?', `assistant ${summary}`],
  };
};

const pi = (): Story => {
  let count = 0;
  const entry = (type: string, fields: object) => {
    count += 1;
    return {
      type,
      id: `${count}`,
      parentId: count === 1 ? null : `${count - 1}`,
      timestamp: time(count),
      ...fields,
    };
  };
  const user = (text: string) =>
    entry('message', { message: { role: 'user', content: [{ type: 'text', text }] } });
  const said = (index: number, ...content: object[]) => {
    const usage = { ...tokens(index), cacheRead: 0, cacheWrite: 0 };
    return entry('message', { message: { role: 'assistant', content, usage, provider: 'p', model: 'm' } });
  };
  const text = (value: string) => ({ type: 'text', text: value });
  const call = (id: string, name: string, args: object) => ({ type: 'toolCall', id, name, arguments: args });
  const result = (toolCallId: string, toolName: string, value: string, isError = false) =>
    entry('message', {
      message: { role: 'toolResult', toolCallId, toolName, content: [text(value)], isError },
    });
  return {
    format: 'pi',
    records: [
      { type: 'session', version: 3, id: 's1', timestamp: time(0), cwd: '/work' },
      user('Look at a.ts'),
      said(
        1,
        { type: 'thinking', thinking: 'Hm' },
        text('I look'),
        call('a', 'read', read),
        call('b', 'bash', list),
      ),
      result('a', 'read', 'one'),
      result('b', 'bash', 'two'),
      said(4, text('Done with it')),
      entry('compaction', { summary, firstKeptEntryId: '5', tokensBefore: 900 }),
      user('Go on'),
      said(6, text('I go on'), call('c', 'bash', list)),
      result('c', 'bash', 'No such file', true),
      said(8, text('That is all')),
    ],
    leftOut: {},
    unknown: [entry('brand-new', {}), 'brand-new'],
    replacement: [`user ${summary}`, 'assistant Done with it'],
  };
};

export const stories: readonly (readonly [name: string, story: Story])[] = [
  ['Claude Code', claudeCode()],
  ['Codex', codex()],
  ['Copilot CLI', copilot()],
  ['Gemini CLI', gemini()],
  ['OpenCode', opencode()],
  ['pi', pi()],
];

export function contentOf({ records, isDocument }: Story): string {
  return isDocument === true ? JSON.stringify(records[0], undefined, 2) : jsonLines(...records);
}
