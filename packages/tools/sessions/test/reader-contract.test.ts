import { CtxError, isErrorResult, toolCallsOf } from '@ctx/core';
import { Transcript } from '@ctx/core/kit';
import { contextAt, readSession, readSessions, type Session, sessionFormats } from '@ctx/sessions';
import fc from 'fast-check';
import { detectFormat } from '../src/files/detect.js';
import { damaged } from './damaged.js';
import {
  expectAccepted,
  expectRefused,
  expectSendable,
  jsonLines,
  outline,
  sessionFile,
} from './session-file.js';
import { contentOf, outlineOfStory, type Story, stories, summary, usageOfStory } from './stories.js';

test('every agent has a story', () => {
  const told = new Set(stories.map(([, { format }]) => format));
  expect([...told].sort()).toEqual(
    sessionFormats.filter((one) => !['openai', 'anthropic', 'ai-sdk', 'langchain'].includes(one)).sort(),
  );
});

describe.each(stories)('%s', (_, story) => {
  const path = () => sessionFile(contentOf(story), 'any-name.txt');
  const lines = story.records.map((record) => JSON.stringify(record));

  test('is recognised by its content, with the window that the agent had', async () => {
    expect(detectFormat(story.records)).toBe(story.format);
    const { format, contextWindow } = await readSession(path());
    expect([format, contextWindow]).toEqual([story.format, story.contextWindow]);
  });

  test('tells the same story as every other agent', async () => {
    const session = await readSession(path());
    expectAccepted(session);
    expectSendable(session.messages);
    expect(outline(session.messages)).toEqual(outlineOfStory);
    expect(session.messages.flatMap(toolCallsOf).map(({ toolName, input }) => [toolName, input])).toEqual([
      ['read', { path: 'a.ts' }],
      ['bash', { command: 'ls' }],
      ['bash', { command: 'ls' }],
    ]);
    expect(session.skipped).toEqual([]);
  });

  test('results name their tool, and say whether they failed', async () => {
    const { messages } = await readSession(path());
    const results = messages.flatMap((message) => (message.role === 'tool' ? message.content : []));
    expect(results.map(({ toolName }) => toolName)).toEqual(['read', 'bash', 'bash']);
    if (story.format !== 'codex') expect(results.map(isErrorResult)).toEqual([false, false, true]);
  });

  test('says which tokens each response took', async () => {
    expect((await readSession(path())).usage).toMatchObject(usageOfStory);
  });

  test('counts and names what does not belong to the conversation', async () => {
    const { leftOut } = await readSession(path());
    expect(leftOut).toEqual({ ...story.leftOut, 'compaction-summary': 1 });
    if (story.unknown === undefined) return;
    const [record, name] = story.unknown;
    const session = await readSession(sessionFile(jsonLines(...story.records, record)));
    expect(session.leftOut[name]).toBe(1);
    expect(outline(session.messages)).toEqual(outlineOfStory);
  });

  test('shows both sides of its compaction', async () => {
    const session = await readSession(path());
    const { compactions, messages } = session;
    expect(compactions).toMatchObject([{ at: 5, summary }]);
    const [{ at, before, replacement } = { at: 0, before: [], replacement: [] }] = compactions ?? [];
    expect(outline(before)).toEqual(outlineOfStory.slice(0, 5));
    expect(outline(replacement)).toEqual(story.replacement);
    expect(
      replacement.filter((message) => message.summary === true).map(({ content }) => JSON.stringify(content)),
    ).toEqual([expect.stringContaining(summary)]);
    const after = [...replacement, ...messages.slice(at)];
    expectAccepted({ ...session, messages: after, usage: [] });
    expectSendable(before);
    expectSendable(after);
    expect(contextAt(session).messages).toEqual(after);
  });

  test('is told alike with a byte order mark and carriage returns', async () => {
    const windows = `\uFEFF${contentOf(story).replaceAll('\n', '\r\n')}`;
    expect(await readSession(sessionFile(windows))).toEqual(
      await readSession(sessionFile(contentOf(story), 'session.jsonl')),
    );
  });

  if (story.isDocument === true) documentTests(story);
  else lineTests(story, lines);

  test('whatever stands in its records, the session is acceptable or the error is typed', () =>
    fc.assert(
      fc.asyncProperty(damaged(story.records), fc.boolean(), async (records, lenient) => {
        try {
          for await (const session of readSessions(sessionFile(jsonLines(...records)), {
            format: story.format,
            lenient,
          })) {
            expectAccepted(session);
            for (const { before, replacement, at } of session.compactions ?? []) {
              expectAppended(before);
              expectAppended([...replacement, ...session.messages.slice(at)]);
            }
          }
        } catch (error) {
          if (!CtxError.isInstance(error)) throw error;
          if (lenient) expect(error.code).toBe('session-empty');
        }
      }),
      { numRuns: 50 },
    ));
});

function expectAppended(messages: Session['messages']): void {
  const transcript = new Transcript();
  for (const message of messages) transcript.append(message);
}

/** Tests of formats that are written line by line. */
function lineTests(story: Story, lines: readonly string[]): void {
  test('a broken line is refused with its place, or skipped', async () => {
    const broken = lines.with(1, (lines[1] as string).slice(0, -5));
    const path = sessionFile(broken.join('\n'));
    await expectRefused(readSession(path), 'session-record-invalid', `${path}:2`);
    const session = await readSession(path, { lenient: true });
    expect(session.skipped).toContainEqual({ line: 2, reason: 'The line is not complete JSON' });
    expectAccepted(session);
  });

  test('a truncated last line is refused, or skipped', async () => {
    const path = sessionFile(contentOf(story).slice(0, -10));
    await expectRefused(readSession(path), 'session-record-invalid', `${path}:${lines.length}`);
    const session = await readSession(path, { lenient: true });
    const told = outline(session.messages);
    expect(told).toEqual(outlineOfStory.slice(0, told.length));
    expect(told.length).toBeGreaterThanOrEqual(outlineOfStory.length - 1);
  });
}

/** Tests of formats whose file is one JSON document. */
function documentTests(story: Story): void {
  test('a truncated document is refused with its place', async () => {
    const path = sessionFile(contentOf(story).slice(0, -20));
    for (const lenient of [false, true]) {
      const error = await readSession(path, { lenient }).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'session-record-invalid' });
      expect(String(error)).toMatch(/session\.jsonl:\d/);
    }
  });

  test('on one line or on many it is the same', async () => {
    const oneLine = sessionFile(JSON.stringify(story.records[0]));
    expect(await readSession(oneLine)).toEqual(await readSession(sessionFile(contentOf(story))));
  });
}
