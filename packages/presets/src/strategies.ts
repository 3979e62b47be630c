// Written by `npm run generate` from the packages strategy-*.
import type { DependencyContainer } from '@ctx/core';
import { register as registerCondense } from '@ctx/strategy-condense';
import { register as registerFileFolding } from '@ctx/strategy-file-folding';
import { register as registerHybrid } from '@ctx/strategy-hybrid';
import { register as registerImportance } from '@ctx/strategy-importance';
import { register as registerMiddleRemoval } from '@ctx/strategy-middle-removal';
import { register as registerOldestRemoval } from '@ctx/strategy-oldest-removal';
import { register as registerRelevance } from '@ctx/strategy-relevance';
import { register as registerSlidingWindow } from '@ctx/strategy-sliding-window';
import { register as registerSmartTruncation } from '@ctx/strategy-smart-truncation';
import { register as registerToolResults } from '@ctx/strategy-tool-results';

/** The options of the strategy that a package makes with strategyFactory, as a configuration gives them. */
type OptionsIn<Package> = {
  [Name in keyof Package]: Package[Name] extends {
    readonly declaration: { readonly options: { readonly _zod: { readonly input: infer Options } } };
  }
    ? Options
    : never;
}[keyof Package];

declare module '@ctx/core' {
  interface KnownStrategies {
    condense: OptionsIn<typeof import('@ctx/strategy-condense')>;
    'file-folding': OptionsIn<typeof import('@ctx/strategy-file-folding')>;
    hybrid: OptionsIn<typeof import('@ctx/strategy-hybrid')>;
    importance: OptionsIn<typeof import('@ctx/strategy-importance')>;
    'middle-removal': OptionsIn<typeof import('@ctx/strategy-middle-removal')>;
    'oldest-removal': OptionsIn<typeof import('@ctx/strategy-oldest-removal')>;
    relevance: OptionsIn<typeof import('@ctx/strategy-relevance')>;
    'sliding-window': OptionsIn<typeof import('@ctx/strategy-sliding-window')>;
    'smart-truncation': OptionsIn<typeof import('@ctx/strategy-smart-truncation')>;
    'tool-results': OptionsIn<typeof import('@ctx/strategy-tool-results')>;
  }
}

/** Registers every built-in strategy by its name. */
export function registerStrategies(container: DependencyContainer): void {
  registerCondense(container);
  registerFileFolding(container);
  registerHybrid(container);
  registerImportance(container);
  registerMiddleRemoval(container);
  registerOldestRemoval(container);
  registerRelevance(container);
  registerSlidingWindow(container);
  registerSmartTruncation(container);
  registerToolResults(container);
}
