import { type Archive, type ArchiveEntry, CtxError } from '@ctx/core';

/** A message of the user in the conversation `one`. */
export function entry(message: number, text = `text ${message}`): ArchiveEntry {
  return { conversation: 'one', message, part: 0, line: 1, kind: 'user', heading: 'user', text, time: 0 };
}

export async function textOf(archive: Archive, message: number): Promise<string> {
  return (await archive.get(`#m${message}`, { conversation: 'one' })).map(({ text }) => text).join('');
}

/** The code with which a call fails; undefined if it does not. */
export async function codeOf(act: Promise<unknown>): Promise<unknown> {
  const error = await act.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return CtxError.isInstance(error) ? error.code : error;
}
