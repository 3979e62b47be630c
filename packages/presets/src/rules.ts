import { type ModelId, matches, type Rule } from '@ctx/core';
import { type Family, families, otherModels } from './families.js';
import { windows } from './windows.js';

/**
 * Results that are out of date, then an excerpt of all that is older, which reaches nearly every target. Where it does not: files that
 * can be read again, the family's own removal, and two that go on where that has come to its end.
 */
function pipelineOf({ removal }: Family): string[] {
  return [
    ...new Set(['tool-results', 'relevance', 'file-folding', removal, 'smart-truncation', 'oldest-removal']),
  ];
}

/** Rarely and deep: what is written anew is small, and the prompt cache holds for long. Below 15,000 tokens too much would be lost. */
const target = { fraction: 0.2, atLeast: 15_000 };

/** Reads that came twice are duplicates like others. */
const toolResults = { duplicates: { includeReads: true } };

/**
 * The settings of a model: those of its family, with its window and encoding where they are known.
 */
export function presetFor(id: ModelId): Rule {
  const family = familyOf(id);
  const { warn, compress, minMessagesToKeep, preserveStart, preserveEnd, settings } = family;
  const { contextWindow, encoding } = windows.find((one) => matches({ model: one.model }, id)) ?? family;
  return {
    ...settings,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(encoding === undefined ? {} : { encoding }),
    pipeline: pipelineOf(family),
    trigger: { fraction: compress },
    target,
    warn,
    minMessagesToKeep,
    options: {
      'tool-results': toolResults,
      'smart-truncation': { maxTokens: 'auto', keepNewestReads: 2 },
      'middle-removal': { preserveStart, preserveEnd },
    },
  };
}

/** Which family a model belongs to, which strategies it gets for that, and why. */
export function explainChoice(
  id: ModelId,
): Pick<Family, 'name' | 'removal' | 'why'> & { readonly pipeline: readonly string[] } {
  const family = familyOf(id);
  const { name, removal, why } = family;
  return { name, removal, pipeline: pipelineOf(family), why };
}

function familyOf(id: ModelId): Family {
  return families.find((family) => family.matches.some((match) => matches(match, id))) ?? otherModels;
}
