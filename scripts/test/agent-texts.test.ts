import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const packages = join(__dirname, '../../packages');
const quoted = (text: string) => [...text.matchAll(/^ {2}(['"])(.+)\1,$/gm)].map(([, , one]) => one);

test('the mod knows the texts of Claude Code that the presets know', () => {
  const presets = readFileSync(join(packages, 'presets/src/agent-texts.ts'), 'utf8');
  const [, ofClaudeCode = ''] = /\/\/ Claude Code \(.+\)\n([\s\S]*?)\n {2}\/\/ /.exec(presets) ?? [];
  const mod = readFileSync(join(packages, 'adapters/claude-code/src/agent-texts.ts'), 'utf8');
  expect(quoted(mod).length).toBeGreaterThan(10);
  expect(quoted(mod)).toEqual(quoted(ofClaudeCode));
});
