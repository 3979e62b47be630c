import { CtxError, packageMissing } from '@ctx/core';

const failing = (error: unknown) =>
  Promise.reject(error).catch(packageMissing('a store in Postgres', ['pg@8', 'pg-types@2']));

test.each(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'])(
  '%s becomes an error with an install line',
  async (code) => {
    const cause = Object.assign(new Error("Cannot find package 'pg'"), { code });
    const error = await failing(cause).catch((thrown: unknown) => thrown);
    expect(CtxError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({
      code: 'package-missing',
      value: ['pg@8', 'pg-types@2'],
      remedy: 'Install it where ctx is installed: npm install pg@8 pg-types@2',
      cause,
    });
    expect(String(error)).toContain('needed for a store in Postgres');
  },
);

test.each([new Error('connection refused'), undefined, 'text'])(
  'any other failure stays as it is: %s',
  async (error) => {
    await expect(failing(error)).rejects.toBe(error);
  },
);
