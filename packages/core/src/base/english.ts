import type { core } from 'zod/mini';
import en from 'zod/v4/locales/en.js';

/** The words of a schema's errors, for `safeParse`: `zod/mini` itself says no more than "Invalid input". */
export const english: { readonly error: core.$ZodErrorMap } = { error: en().localeError };
