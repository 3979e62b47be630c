import type { LanguageModelV2Middleware } from '@ai-sdk/provider-v2';
import type { LanguageModelV3Middleware } from '@ai-sdk/provider-v3';
import type { LanguageModelV4Middleware } from '@ai-sdk/provider-v4';
import { contextMiddleware } from '@ctx/ai-sdk';
import type { LanguageModelMiddleware as Middleware6 } from 'ai';
import type { LanguageModelMiddleware as Middleware5 } from 'ai-v5';
import type { LanguageModelMiddleware as Middleware7 } from 'ai-v7';
import type { ContextMiddleware } from '../src/context-middleware.js';

/** The compiler checks this file; at run time it only has to load. */
type Extends<A, B> = [A] extends [B] ? true : false;
const isTrue = (..._checks: true[]) => undefined;

test('one middleware is middleware of versions 5, 6 and 7', () => {
  isTrue(
    true satisfies Extends<ContextMiddleware, LanguageModelV2Middleware>,
    true satisfies Extends<ContextMiddleware, LanguageModelV3Middleware>,
    true satisfies Extends<ContextMiddleware, LanguageModelV4Middleware>,
  );
  // Something else is no middleware: the checks above do not hold for just any type.
  isTrue(true satisfies Extends<Extends<() => void, LanguageModelV4Middleware>, false>);
  const one = contextMiddleware();
  const of5: Middleware5 = one;
  const of6: Middleware6 = one;
  const of7: Middleware7 = one;
  expect([of5, of6, of7]).toEqual([one, one, one]);
});
