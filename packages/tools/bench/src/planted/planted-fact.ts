import type { Draw } from '../loop/scenario.js';

/** Who says a fact: a tool among the noise of its result, the assistant, or the user. */
const speakers = ['tool', 'assistant', 'user'] as const;

/** What is said once in a conversation. */
export interface PlantedFact {
  readonly text: string;
  readonly speaker: (typeof speakers)[number];
  /** Whether it has neither a number nor an id: nothing that a pattern finds. */
  readonly isPlain: boolean;
}

const withValue: readonly ((draw: Draw) => string)[] = [
  (draw) => `Note: the ${draw.word()} gateway only accepts the header "X-${draw.word()}-${draw.below(999)}".`,
  (draw) => `We agreed that ${draw.words(2)} releases ship from branch ${draw.word()}/${draw.below(9000)}.`,
  (draw) => `WARNING ${draw.word()}: quota for tenant ${codeOf(draw)} was reduced by operations`,
  (draw) => `The contact for ${draw.words(2)} incidents is ${draw.word()}.${draw.word()}@example.com.`,
  (draw) => `Decision: events of ${draw.words(2)} are kept for ${10 + draw.below(9000)} days.`,
];
/** As many as a conversation has plain facts, so that each is said in words of its own. */
const plain: readonly ((draw: Draw) => string)[] = [
  (draw) => `We agreed that nobody restarts the ${draw.word()} gateway while ${draw.words(2)} is loading.`,
  (draw) => `The partners of ${draw.words(2)} send their files late at the end of the month.`,
  (draw) => `WARNING ${draw.word()}: the archive of ${draw.words(2)} is read only until further notice`,
  (draw) => `Finance wants the report on ${draw.words(2)} before the one on ${draw.words(2)}.`,
  (draw) => `Please don't retry ${draw.words(2)} without asking the people at ${draw.word()} first.`,
  (draw) => `Deprecated: ${draw.words(2)} will lose its mirror after the summer`,
  (draw) => `From now on the ${draw.words(2)} team owns every alert about disks.`,
  (draw) => `Legal says that addresses of ${draw.words(2)} customers must be masked.`,
  (draw) => `Duplicates in ${draw.words(2)} are harmless, so leave them where they are.`,
  (draw) => `If ${draw.words(2)} is empty, the supplier was on holiday.`,
  (draw) => `Use the slow path for ${draw.words(2)}; the fast one loses accents.`,
  (draw) => `hint: certificates for ${draw.words(2)} come from the old vault`,
  (draw) => `Nobody may change the schema of ${draw.words(2)} during an audit.`,
  (draw) => `The ${draw.words(2)} dashboard lags behind, trust the console instead.`,
  (draw) => `Weekend runs of ${draw.words(2)} are paid for by marketing.`,
];

function codeOf(draw: Draw): string {
  return Array.from({ length: 6 }, () => draw.below(16).toString(16).toUpperCase()).join('');
}

/** Different facts: every speaker says as many in plain words as with a value. */
export function plantedFacts(draw: Draw, count: number): PlantedFact[] {
  const texts = new Set<string>();
  const firstPlain = draw.below(plain.length);
  return Array.from({ length: count }, (_, at) => {
    const round = Math.floor(at / speakers.length);
    const isPlain = round % 2 === 0;
    const plainAt = firstPlain + (round / 2) * speakers.length + (at % speakers.length);
    const form = isPlain ? plain[plainAt % plain.length] : draw.pick(withValue);
    let text = '';
    while (text === '' || texts.has(text)) text = form?.(draw) ?? '';
    texts.add(text);
    return { text, speaker: speakers[at % speakers.length] as PlantedFact['speaker'], isPlain };
  });
}
