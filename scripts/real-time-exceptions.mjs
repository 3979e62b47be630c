/** Tests that use real time, each with the reason why nothing in them depends on how fast a machine is, and how often they do it. */
export const exceptions = [
  {
    file: 'packages/memory/archive/test/sqlite/killed.slow.test.ts',
    uses: 1,
    reason: 'kills a real process at any moment; whatever the moment, the same is expected',
  },
  {
    file: 'packages/adapters/proxy/test/killed.slow.test.ts',
    uses: 3,
    reason:
      'kills a real process at moments that lie evenly in its work; whatever the moment, the same is expected',
  },
  {
    file: 'packages/tools/cli/test/mcp/mcp.slow.test.ts',
    uses: 1,
    reason: 'waits for the output of a real process, as long as it takes',
  },
  {
    file: 'packages/testing/testing/test/strategy-suite.test.ts',
    uses: 2,
    reason: 'a timer and a clock that a strategy may not use; both are refused',
  },
];
