import { assistant, call, result, transcript, user } from '@ctx/testing';
import fc from 'fast-check';
import { Form, Forms } from '../src/forms.js';
import { usualForm } from '../src/weights.js';
import { read } from './reading.js';

const formsOf = (...texts: readonly string[]) => {
  const forms = new Forms();
  return texts.map((text) => forms.of(text));
};

test.each([
  ['numbers', 'took 12 ms', 'took 9 ms'],
  ['times', '2026-03-04T10:11:12.123Z INFO ready', '2027-12-24T01:02:03.004Z INFO ready'],
  ['hashes', 'commit 4f2a9c01bd done', 'commit 99ee01aabb00 done'],
  ['ids', '{"job":"job-7f3a","worker":"w_12"}', '{"job":"job-0001","worker":"w_3"}'],
  ['space', 'a   b', 'a\n b'],
])('texts that differ in %s only have one form', (_title, one, other) => {
  expect(new Set(formsOf(one, other)).size).toBe(1);
});

test.each([
  ['a word', 'status is ready', 'status is broken'],
  ['a name', 'The contact is Mira', 'The contact is Tom'],
  ['a sign', 'a - b', 'a + b'],
  ['a number in place of a word', 'took ages', 'took 3'],
])('texts that differ in %s do not', (_title, one, other) => {
  expect(new Set(formsOf(one, other)).size).toBe(2);
});

test('all texts of a form together have the worth of a few, and the first and the newest have their own', () => {
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 500 }), (times) => {
      const form = new Form();
      const owners = Array.from({ length: times }, () => ({}));
      for (const owner of owners) form.count(owner);
      const weights = owners.map((owner) => form.weightOf(owner));
      expect(weights[0]).toBe(1);
      expect(weights.at(-1)).toBe(1);
      expect(weights.slice(1, -1).reduce((sum, weight) => sum + weight, 0)).toBeLessThanOrEqual(usualForm);
      for (const weight of weights) expect(weight).toBeGreaterThan(0);
    }),
  );
});

describe('of a log that is printed again and again', () => {
  const printed = (at: number, extra = '') => [
    call(`c${at}`, 'bash', { command: `tail run${at}.log` }),
    result(
      `c${at}`,
      `${Array.from({ length: 9 }, (_, line) => `${at}:${line} request a${at}b${line} done`).join('\n')}${extra}`,
    ),
  ];
  const said = transcript(
    user('Watch it, and above all src/slow_query.ts.'),
    ...Array.from({ length: 20 }, (_, at) => printed(at)).flat(),
    ...printed(20, '\nthe disk of berth-7 is full\n21:1 request src/slow_query.ts done'),
    ...Array.from({ length: 20 }, (_, at) => printed(at + 21)).flat(),
    assistant('All quiet.'),
  );
  const { sources } = read(said);
  const weightsOf = (command: string) => {
    const { units } = sources.find(({ section }) =>
      section.heading.includes(command),
    ) as (typeof sources)[number];
    return units.map((unit) => unit.form?.weightOf(unit));
  };

  test('the first and the newest line, and what deviates, keep their worth', () => {
    expect(weightsOf('run0.log').at(-9)).toBe(1);
    expect(weightsOf('run40.log').at(-1)).toBe(1);
    expect(weightsOf('run20.log').at(-2)).toBe(1);
    expect(Math.max(...weightsOf('run10.log').slice(-9).map(Number))).toBeLessThan(0.02);
  });

  test('the calls say little, too', () => {
    const heading = (command: string) =>
      sources.find(({ section }) => section.heading.includes(command))?.headingWeight;
    expect(heading('run10.log')).toBeLessThan(0.2);
    expect(heading('run40.log')).toBe(1);
  });
});
