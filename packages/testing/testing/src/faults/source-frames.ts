/** The lines of our packages' sources on the stack, innermost first, those that wait for a promise among them: `core/src/view/gate.ts:12`. */
export function sourceFrames(): string[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  const frames = stack.matchAll(
    /\/packages\/(?:[\w-]{1,60}\/)?([\w-]{1,60}\/src\/[^:()\s]{1,200}:\d{1,9}):\d/g,
  );
  return [...frames].map(([, frame]) => frame as string).filter((frame) => !frame.startsWith('testing/'));
}
