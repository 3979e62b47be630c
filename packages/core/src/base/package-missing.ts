import { CtxError } from './errors.js';

const notFound = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];

/**
 * Handles the failed import of an optional package: `import('pg').catch(packageMissing('a store in Postgres', ['pg@8']))`.
 * @param need what the packages are for
 * @param packages as `npm install` takes them
 * @returns a function that throws CtxError `package-missing`, or the error itself if it is not about a module that was not found
 */
export function packageMissing(need: string, packages: readonly string[]): (error: unknown) => never {
  return (error) => {
    const { code } = (error ?? {}) as { readonly code?: unknown };
    if (!notFound.includes(String(code))) throw error;
    throw new CtxError({
      code: 'package-missing',
      problem: `A package is not installed that is needed for ${need}`,
      value: packages,
      remedy: `Install it where ctx is installed: npm install ${packages.join(' ')}`,
      cause: error,
    });
  };
}
