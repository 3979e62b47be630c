import type { Message } from '@ctx/core';
import { Draw } from '../loop/scenario.js';
import { noisyCall, type PlantedFact, plantedFacts } from './repeating.js';
import { variedCall, variedFacts, variedRemark, variedWish } from './varied.js';

export interface PlantedConversation {
  readonly messages: readonly Message[];
  readonly facts: readonly PlantedFact[];
}

/** Calls of a conversation: about 100,000 tokens. */
const steps = 240;
/** Facts are said after the first steps, and before the last ones, which every method keeps. */
const firstSteps = 5;
const lastSteps = 40;
const factCount = 30;

/** What a conversation is made of: its noise, its facts, and how they are said. */
const sets = {
  /** A long watch over jobs: a few forms of noise that repeat. */
  repeating: {
    call: noisyCall,
    facts: plantedFacts,
    remark: (draw: Draw, fact?: string) => {
      // Drawn at every step, so that what follows does not depend on the facts.
      const idle = draw.pick(['Checking again.', 'Still in progress, polling once more.', 'Nothing new.']);
      return fact ?? idle;
    },
    wish: (_: Draw, fact: string) => fact,
  },
  /** Many forms that share nothing with those, and facts in the middle of other text. */
  varied: { call: variedCall, facts: variedFacts, remark: variedRemark, wish: variedWish },
} as const;
export type PlantedSet = keyof typeof sets;

/** A long conversation in which each fact is said once. The same number always gives the same one of a set. */
export function plantedConversation(number: number, set: PlantedSet = 'repeating'): PlantedConversation {
  const draw = new Draw(number);
  const facts = sets[set].facts(draw, factCount);
  return {
    facts,
    messages: [
      { role: 'system', content: 'You operate a data platform.' },
      {
        role: 'user',
        content:
          'Watch the nightly import and tell me when something is wrong. Keep track of everything we agree on.',
      },
      ...stepsWith(draw, stepsOfFacts(draw, facts), set),
      { role: 'assistant', content: 'All quiet.' },
      { role: 'user', content: 'What did we agree on so far?' },
    ],
  };
}

function stepsOfFacts(draw: Draw, facts: readonly PlantedFact[]): Map<number, PlantedFact> {
  const due = new Map<number, PlantedFact>();
  for (const fact of facts) {
    let step = -1;
    while (step < 0 || due.has(step)) step = firstSteps + draw.below(steps - lastSteps - firstSteps);
    due.set(step, fact);
  }
  return due;
}

function stepsWith(draw: Draw, due: ReadonlyMap<number, PlantedFact>, set: PlantedSet): Message[] {
  const { call, remark, wish } = sets[set];
  return Array.from({ length: steps }, (_, step) => {
    const fact = due.get(step);
    const by = (speaker: PlantedFact['speaker']) => (fact?.speaker === speaker ? fact.text : undefined);
    const { tool: toolName, input, result } = call(draw, step);
    const said = remark(draw, by('assistant'));
    const toolCallId = `call-${step}`;
    const told = by('user');
    const messages: Message[] = [
      {
        role: 'assistant',
        content: [
          { type: 'text', text: said },
          { type: 'tool-call', toolCallId, toolName, input },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId,
            toolName,
            output: { type: 'text', value: result(by('tool')) },
          },
        ],
      },
    ];
    return told === undefined
      ? messages
      : [{ role: 'user' as const, content: wish(draw, told) }, ...messages];
  }).flat();
}
