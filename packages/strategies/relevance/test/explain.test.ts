import type { Message } from '@ctx/core';
import { arbitraryTranscript, assistant, call, result, transcript, user, words } from '@ctx/testing';
import fc from 'fast-check';
import type { KeptLine } from '../src/index.js';
import { compressed, sourcesIn } from './compressing.js';

const explained = { options: { explain: true } };

const messages = [
  user('Why does parseTokens throw?'),
  ...Array.from({ length: 8 }, (_, index) =>
    transcript(
      call(`${index}`, 'read', { path: `src/f${index}.ts` }),
      result(`${index}`, `export function parseTokens${index}() {\n${words(40)}\n}`),
    ),
  ).flat(),
  assistant('parseTokens3 looks wrong.'),
  ...transcript(call('x', 'grep', { pattern: 'parseTokens3' }), result('x', 'src/f3.ts:1: parseTokens3')),
  assistant('Found.'),
  user('Does it still throw?'),
];

async function linesOf(some: readonly Message[], targetTokens: number) {
  const made = await compressed(some, targetTokens, explained);
  const stage = made.record?.stages.find(({ strategy }) => strategy === 'relevance');
  return { ...made, lines: (stage?.notes?.lines ?? []) as readonly KeptLine[] };
}

describe('the notes of a strategy that explains itself', () => {
  test('say where each line is from, what it was worth, and which terms made it so', async () => {
    const { lines } = await linesOf(messages, 300);
    const [first] = lines.filter(({ text }) => text.includes('parseTokens5'));
    expect(first?.worth).toBeGreaterThan(0);
    expect(first?.reason).toMatch(/parsetokens5 \(1 message\)/);
    expect(lines.map(({ worth }) => worth).every(Number.isFinite)).toBe(true);
    expect(lines.filter(({ reason }) => reason !== '').length).toBeGreaterThan(lines.length / 2);
  });

  test('are in the order of choice: the worth falls from line to line, unless a heading made a line cheaper', async () => {
    const { lines } = await linesOf(messages, 300);
    const firstOfSections = lines.filter(
      ({ heading }, index) => lines.findIndex((line) => line.heading === heading) === index,
    );
    expect(lines[0]?.worth).toBeGreaterThan(lines.at(-1)?.worth as number);
    expect(firstOfSections.length).toBeGreaterThan(3);
  });

  test('name messages that exist, and texts that are in the excerpt', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(arbitraryTranscript, fc.constant(messages)),
        fc.integer({ min: 20, max: 400 }),
        async (some, target) => {
          const { lines, sections, manager } = await linesOf(some, target);
          const said = sourcesIn(manager.transcript.map(({ message }) => message));
          for (const { message, heading, text } of lines) {
            expect(manager.transcript[message]).toBeDefined();
            expect(text.length).toBeLessThanOrEqual(80);
            const shown = sections.filter((section) => section.heading === heading);
            expect(shown.some((section) => section.text.includes(text) || heading.startsWith(text))).toBe(
              true,
            );
            expect(said.some(({ heading: name }) => heading === name || heading.startsWith(`${name} `))).toBe(
              true,
            );
          }
        },
      ),
      { numRuns: 27 },
    );
  });

  test('contain every line that was chosen', async () => {
    const { lines, record } = await linesOf(messages, 300);
    const notes = record?.stages[0]?.notes as { kept: number; lines: unknown[] };
    // The user's messages that stay word for word were not chosen.
    expect(notes.kept - lines.length).toBe(1);
  });

  test('contain no lines unless `explain` is set', async () => {
    const { record } = await compressed(messages, 160);
    expect(record?.stages[0]?.notes).not.toHaveProperty('lines');
  });
});
