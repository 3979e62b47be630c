import { seededRandom } from '@ctx/core';
import { Calibration } from '../../src/count/calibrate.js';

const asCounted = { offset: 0, factor: 1, perToolCall: 0 };

/** Anything may be billed. */
const unbounded = () => ({ least: 0, likely: Infinity, roomy: Infinity, most: Infinity });
const flat = { offset: 0, factor: 1, perToolCall: 0 };
const truth = ({ tokens, toolCalls }: { tokens: number; toolCalls: number }) =>
  2_000 + 1.24 * tokens + 66 * toolCalls;
const request = (step: number) => ({ tokens: 800 * step, toolCalls: step });

function learned(steps: number, prior = flat, report = truth): Calibration {
  const random = seededRandom(7);
  const calibration = new Calibration(() => prior, unbounded);
  for (let step = 1; step <= steps; step += 1) {
    const counted = {
      tokens: Math.round(800 * step * (0.9 + 0.2 * random())),
      toolCalls: Math.round(step * random()),
    };
    calibration.learn(counted, Math.round(report(counted)));
  }
  return calibration;
}

const error = (calibration: Calibration, counted = request(60)) =>
  Math.abs(calibration.predict(counted) - truth(counted)) / truth(counted);

test('twenty reports bring it within 1 %, even without a prior', () => {
  expect(error(new Calibration(() => flat, unbounded))).toBeGreaterThan(0.15);
  expect(error(learned(20))).toBeLessThan(0.01);
});

test('the figure starts from the last report: the same request is predicted exactly', () => {
  const calibration = learned(5);
  calibration.learn(request(9), 11_600);
  expect(calibration.predict(request(9))).toBe(11_600);
});

test('an outlier is ignored; several undo what was learned, and three that agree start afresh', () => {
  const calibration = learned(30);
  const before = calibration.predict(request(40));
  expect(calibration.learn(request(40), 300)).toBe('outlier');
  expect(calibration.predict(request(40))).toBe(before);
  expect(calibration.learn(request(41), 90_000)).toBe('outlier');
  expect(calibration.learn(request(42), 91_000)).toBe('outlier');
  expect(calibration.predict(request(40))).toBe(request(40).tokens);
  expect(calibration.learn(request(43), 92_000)).toBe('used');
  expect(calibration.predict(request(43))).toBe(92_000);
});

test('the number of tokens to keep is the inverse of the prediction', () => {
  const calibration = learned(20);
  const counted = request(50);
  const reported = calibration.predict(counted);
  expect(calibration.countedFor(reported, counted)).toBeGreaterThan(counted.tokens * 0.99);
  expect(calibration.countedFor(reported, counted)).toBeLessThanOrEqual(counted.tokens);
  const half = calibration.countedFor(reported / 2, counted);
  const halved = { tokens: half, toolCalls: Math.round((counted.toolCalls * half) / counted.tokens) };
  expect(Math.abs(truth(halved) - reported / 2) / reported).toBeLessThan(0.01);
});

test('a window of any size has a bound', () => {
  const calibration = new Calibration(() => asCounted, unbounded);
  for (const limit of [0, 1, 1_000, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY])
    expect(calibration.countedWithin(limit, { tokens: 0, toolCalls: 0 })).toBe(Math.min(limit, 2 ** 52));
});
