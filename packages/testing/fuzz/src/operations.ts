import fc from 'fast-check';
import { chance, int, type MadeBy, maybe, often, record, upTo } from './choices.js';
import { anyHostile } from './hostile.js';
import { anyCall, anyMessage, anyOutput, type MessageSpec } from './messages.js';
import { strategies } from './strategy-options.js';

const { constant, constantFrom } = fc;

const share = constantFrom(0, 0.1, 0.3, 0.5, 0.8, 1.2, -1, Number.NaN);
const strategy = constantFrom(...strategies, 'no-such', 'hostile-0', 'hostile-1');
/** Chooses among the things that exist at that time. */
const which = int(0, 99);

/** Reports `factor` times the counted tokens, or an absurd figure. */
const usage = record(
  { do: constant('usage'), factor: constantFrom(0, 0.5, 0.95, 1, 1.1, 1.3, 2, 40) },
  { absurd: maybe(10, constantFrom('negative', 'nan', 'huge', 'text')) },
);
/** What hardly any host does. */
const rare = often(
  [20, record({ do: constant('simulate'), share: constantFrom(0, 0.5) }, { strategy: maybe(50, strategy) })],
  [70, record({ do: constantFrom('pin', 'pin', 'pin', 'unpin', 'undo', 'undo', 'undo', 'rewind'), which })],
  [20, record({ do: constantFrom('rewind', 'undo'), which })],
  [10, record({ do: constant('tools'), size: int(0, 40) })],
  [30, usage],
  [20, record({ do: constant('restore'), beside: fc.boolean() })],
  [7, record({ do: constant('simulate'), strategy, share: constantFrom(0, 0.3, 0.7) })],
  [20, record({ do: constant('wait'), ms: constantFrom(1, 6000, 70_000, 16 * 60_000) })],
);

/** One step of a conversation: mostly an agent at work, and sometimes something that only a strange host would do. */
function anySteps(isBusy: boolean) {
  /** A compression that may be held, which means that it continues to run during the next steps. */
  const held = {
    held: maybe(isBusy ? 50 : 3, constant<boolean>(true)),
    /** Its signal is already aborted. The step `abort` aborts a held one. */
    abort: maybe(4, constant('before')),
  };
  const says = (message: fc.Arbitrary<MessageSpec>) =>
    often(
      [7, record({ do: constant('append'), message })],
      [3, record({ do: constant('add'), message }, held)],
    );
  const look = record({ do: constantFrom('view') });
  /** Answers open calls of the newest assistant message. */
  const answer = record({
    do: constant('answer'),
    outputs: often([1, upTo(2, anyOutput, 1)], [9, upTo(3, anyOutput, 3)]),
    together: fc.boolean(),
    backwards: chance(15),
  });
  const check = record({ do: constant('check') }, { beforeSend: maybe(60, constant(true)), ...held });
  const compress = record(
    { do: constant('compress') },
    {
      strategy: maybe(50, strategy),
      hostile: maybe(40, anyHostile),
      share: maybe(70, share),
      instructions: maybe(10, constant('Keep the plan.')),
      ...held,
    },
  );
  const act = often(
    [50, check],
    [70, compress],
    [20, look],
    [7, record({ do: constant('recover'), overflow: chance(80) }, held)],
    [isBusy ? 20 : 1, record({ do: constant('settle') })],
    [isBusy ? 17 : 0, record({ do: constantFrom('release', 'abort') })],
  );
  const talk = often(
    [8, fc.tuple(says(anyMessage))],
    [1, fc.tuple(maybe(60, look), says(anyCall))],
    [3, fc.tuple(maybe(60, look), says(anyCall), answer)],
  );
  return often([28, talk], [10, fc.tuple(act)], [isBusy ? 6 : 3, fc.tuple(rare)]);
}

type Steps = MadeBy<ReturnType<typeof anySteps>>;
/** One step of a history, as plain JSON. */
export type Operation = Exclude<Steps[number], undefined>;

const conversation = (isBusy: boolean) =>
  often([92, upTo(18, anySteps(isBusy))], [8, upTo(60, anySteps(isBusy))]).map((steps) =>
    steps.flat().filter((step) => step !== undefined),
  );

export const anyOperations: fc.Arbitrary<Operation[]> = often(
  [7, conversation(false)],
  [3, conversation(true)],
);
