import type { Message } from '@ctx/core';
import { Draw } from '../loop/scenario.js';
import { noisyCall } from './noise.js';
import { type PlantedFact, plantedFacts } from './planted-fact.js';

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

/** A long watch over jobs, in which each fact is said once. The same number always gives the same conversation. */
export function plantedConversation(number: number): PlantedConversation {
  const draw = new Draw(number);
  const facts = plantedFacts(draw, factCount);
  return {
    facts,
    messages: [
      { role: 'system', content: 'You operate a data platform.' },
      {
        role: 'user',
        content:
          'Watch the nightly import and tell me when something is wrong. Keep track of everything we agree on.',
      },
      ...stepsWith(draw, stepsOfFacts(draw, facts)),
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

function stepsWith(draw: Draw, due: ReadonlyMap<number, PlantedFact>): Message[] {
  return Array.from({ length: steps }, (_, step) => {
    const fact = due.get(step);
    const by = (speaker: PlantedFact['speaker']) => (fact?.speaker === speaker ? fact.text : undefined);
    const { tool: toolName, input, result } = noisyCall(draw, step);
    const idle = draw.pick(['Checking again.', 'Still in progress, polling once more.', 'Nothing new.']);
    const toolCallId = `call-${step}`;
    const told = by('user');
    const messages: Message[] = [
      {
        role: 'assistant',
        content: [
          { type: 'text', text: by('assistant') ?? idle },
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
    return told === undefined ? messages : [{ role: 'user' as const, content: told }, ...messages];
  }).flat();
}
