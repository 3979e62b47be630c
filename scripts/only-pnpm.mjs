/** Ends `npm pack` and `npm publish` of a package: pnpm writes versions in place of `workspace:^`, npm would keep what nobody can install. */
if (!process.env.npm_config_user_agent?.startsWith('pnpm/')) {
  console.error(
    'npm would pack dependencies as workspace:^, which cannot be installed. In the root of the repository: npm run pack -- ../my-agent',
  );
  process.exitCode = 1;
}
