import { CtxError } from '@ctx/core';
import { campaign } from './campaign.js';
import { parseCommandLine } from './command-line.js';

/** What the shell gets, as from every command of `ctx`. */
const exitCodes = { passed: 0, failed: 1, usage: 2 } as const;

try {
  const asked = parseCommandLine(process.argv.slice(2));
  const failed = await campaign({ ...asked, say: (line) => process.stdout.write(`${line}\n`) });
  process.exitCode = failed === 0 ? exitCodes.passed : exitCodes.failed;
} catch (error) {
  if (!CtxError.isInstance(error) || error.code !== 'option-invalid') throw error;
  process.stderr.write(`ctx: ${error.code}: ${error.message.replace('[ctx] ', '')}\n`);
  process.exitCode = exitCodes.usage;
}
