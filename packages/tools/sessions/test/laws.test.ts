import { anthropicCodec } from '@ctx/codec-anthropic';
import { openaiCodec } from '@ctx/codec-openai';
import { CtxError } from '@ctx/core';
import { readSession, readSessions } from '@ctx/sessions';
import { arbitraryTranscript } from '@ctx/testing';
import fc from 'fast-check';
import { damaged } from './damaged.js';
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

const said = [
  { role: 'user', content: [{ type: 'text', text: 'look' }] },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] },
  {
    role: 'assistant',
    tool_calls: [{ id: 'b', type: 'function', function: { name: 'read', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'b', content: 'x' },
];

test.each(['openai', 'anthropic', 'ai-sdk', 'langchain'] as const)(
  '%s: whatever the records, a session is acceptable or the error is typed',
  (format) =>
    fc.assert(
      fc.asyncProperty(damaged(said), fc.boolean(), async (records, lenient) => {
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
