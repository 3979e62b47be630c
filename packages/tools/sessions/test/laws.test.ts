import { anthropicCodec } from '@ctx/codec-anthropic';
import { openaiCodec } from '@ctx/codec-openai';
import { CtxError } from '@ctx/core';
import { readSession, readSessions } from '@ctx/sessions';
import { arbitraryTranscript } from '@ctx/testing';
import fc from 'fast-check';
import { all, expectAccepted, jsonLines, outline, sessionFile } from './session-file.js';

test('openai messages come back as they were written, one per line or as a document', () =>
  fc.assert(
    fc.asyncProperty(arbitraryTranscript, fc.boolean(), async (messages, asLines) => {
      const native = openaiCodec.fromMessages(messages);
      const content = asLines ? jsonLines(...native) : JSON.stringify({ messages: native }, null, 1);
      const session = await readSession(sessionFile(content));
      expectAccepted(session);
      expect(openaiCodec.fromMessages(session.messages)).toEqual(native);
    }),
    { numRuns: 17 },
  ));

test('anthropic conversations come back as they were written', () =>
  fc.assert(
    fc.asyncProperty(arbitraryTranscript, async (messages) => {
      const native = anthropicCodec.fromMessages(messages);
      fc.pre(native.messages.length > 0);
      const session = await readSession(sessionFile(JSON.stringify(native)), { format: 'anthropic' });
      expectAccepted(session);
      expect(anthropicCodec.fromMessages(session.messages)).toEqual(native);
    }),
    { numRuns: 17 },
  ));

test('a file cut anywhere returns its beginning, and strict reading reports the cut', () =>
  fc.assert(
    fc.asyncProperty(
      arbitraryTranscript,
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (messages, at) => {
        const lines = jsonLines(...openaiCodec.fromMessages(messages));
        const path = sessionFile(lines.slice(0, Math.floor(lines.length * at)));
        const [session] = await all(readSessions(path, { lenient: true })).catch((error: unknown) => {
          if (CtxError.isInstance(error)) return [];
          throw error;
        });
        if (session === undefined) return;
        const whole = await readSession(sessionFile(lines));
        expect(outline(session.messages)).toEqual(outline(whole.messages).slice(0, session.messages.length));
        const strict = readSession(path);
        if (session.skipped.length > 0) await expect(strict).rejects.toBeInstanceOf(CtxError);
        else await strict;
      },
    ),
    { numRuns: 17 },
  ));

const block = fc.oneof(
  fc.record(
    {
      type: fc.constantFrom('text', 'tool_use', 'tool_result', 'toolCall', 'thinking', 'image', 'other'),
      id: fc.constantFrom('a', 'b', '', 7),
      tool_use_id: fc.constantFrom('a', 'b', 'c', null),
      name: fc.constantFrom('read', '', 1),
      text: fc.constantFrom('hi', '', ' ', 5),
      content: fc.constantFrom('x', null, [], [{ type: 'text', text: 'x' }], [1]),
    },
    { requiredKeys: ['type'] },
  ),
  fc.jsonValue(),
);
const hostile = fc.record(
  {
    type: fc.constantFrom('user', 'assistant', 'message', 'session', 'compaction', 'branch_summary', 'x', 1),
    uuid: fc.constantFrom('1', '2', '3', 4),
    id: fc.constantFrom('1', '2', '3', 4),
    parentId: fc.constantFrom('1', '2', '3', null),
    timestamp: fc.constantFrom('2026-01-01T00:00:00Z', 'never', -1, 5),
    summary: fc.constantFrom('so far', '', 1),
    isSidechain: fc.boolean(),
    isCompactSummary: fc.boolean(),
    message: fc.oneof(
      fc.record(
        {
          role: fc.constantFrom('user', 'assistant', 'toolResult', 'bashExecution', 'wizard'),
          id: fc.constantFrom('m1', 'm2'),
          toolCallId: fc.constantFrom('a', 'b', 'c', 1),
          content: fc.oneof(fc.array(block, { maxLength: 4 }), fc.jsonValue()),
          usage: fc.oneof(fc.constant({ input: 1, input_tokens: 'many' }), fc.jsonValue()),
        },
        { requiredKeys: ['role'] },
      ),
      fc.jsonValue(),
    ),
  },
  { requiredKeys: ['type'] },
);

test.each(['claude-code', 'pi', 'openai', 'anthropic'] as const)(
  '%s: whatever the records, a session is acceptable or the error is typed',
  (format) =>
    fc.assert(
      fc.asyncProperty(fc.array(hostile, { maxLength: 12 }), fc.boolean(), async (records, lenient) => {
        const path = sessionFile(jsonLines(...records));
        try {
          for await (const session of readSessions(path, { format, lenient })) expectAccepted(session);
        } catch (error) {
          if (!CtxError.isInstance(error)) throw error;
          if (lenient) expect(error.code).toBe('session-empty');
        }
      }),
      { numRuns: 50 },
    ),
);

test('whatever the bytes, the error is typed', () =>
  fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.boolean(), async (bytes, lenient) => {
      await expect(all(readSessions(sessionFile(Buffer.from(bytes)), { lenient }))).rejects.toBeInstanceOf(
        CtxError,
      );
    }),
    { numRuns: 34 },
  ));
