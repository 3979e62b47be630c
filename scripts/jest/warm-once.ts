/**
 * A process has one proxy, which compresses a made-up history when it starts. A test file starts many, and of these the first does, for all:
 * it took most of the time of the proxy's tests.
 */
jest.mock('../../packages/adapters/proxy/src/warm-up.js', () => {
  const { warmUp } = jest.requireActual<{ warmUp(): Promise<void> }>(
    '../../packages/adapters/proxy/src/warm-up.js',
  );
  let warm: Promise<void> | undefined;
  return {
    warmUp: () => {
      warm ??= warmUp();
      return warm;
    },
  };
});
