import { type ModelId, matches, type Rule } from '@ctx/core';
import { type Family, families, otherModels } from './families.js';
import { windows } from './windows.js';

/**
 * The settings of a model: those of its family, with its window and encoding where they are known.
 */
export function presetFor(id: ModelId): Rule {
  const family = familyOf(id);
  const { pipeline, warn, compress, minMessagesToKeep, preserveStart, preserveEnd, settings } = family;
  const { contextWindow, encoding } = windows.find((one) => matches({ model: one.model }, id)) ?? family;
  return {
    ...settings,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(encoding === undefined ? {} : { encoding }),
    pipeline: [...pipeline],
    trigger: { fraction: compress },
    target: { fraction: targetOf(compress) },
    warn,
    minMessagesToKeep,
    options: {
      'middle-removal': { preserveStart, preserveEnd, minMessagesToKeep },
      'oldest-removal': { minMessagesToKeep },
    },
  };
}

/** Which family a model belongs to, which strategies it gets for that, and why. */
export function explainChoice(id: ModelId): Pick<Family, 'name' | 'pipeline' | 'why'> {
  const { name, pipeline, why } = familyOf(id);
  return { name, pipeline, why };
}

function familyOf(id: ModelId): Family {
  return families.find((family) => family.matches.some((match) => matches(match, id))) ?? otherModels;
}

/** 0.8 of the window, or a tenth of it below where compression starts if that is less: it must come to rest. */
function targetOf(compress: number): number {
  return Math.min(0.8, Math.round((compress - 0.1) * 100) / 100);
}
