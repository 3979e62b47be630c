import { injections } from '@ctx/testing';
import { createFolder } from '../src/index.js';

const folder = createFolder({});
const fold = (text: string, path: string) =>
  folder.fold({ text, paths: [path], signal: new AbortController().signal });

describe('a folded file can not close its block:', () => {
  test.each(injections)('%j', async (injection) => {
    const inLine = injection.replace(/[\n\r\u2028\u2029]/g, ' ');
    const files: [string, string][] = [
      ['a.ts', `// ${inLine}\nexport class Parser {\n  run() { return ${JSON.stringify(injection)}; }\n}`],
      ['a.md', `# Title\n\n${injection}\n\n# Heading ${inLine}\n\nText.\n`],
      ['a.py', `"""${injection}"""\nclass Parser:\n    pass\n`],
    ];
    for (const [path, text] of files) {
      const folded = await fold(text, path);
      const lines = folded.split(/[\n\r\u2028\u2029]/);
      expect(folded.match(/<\/?system-reminder>/g)).toEqual(['<system-reminder>', '</system-reminder>']);
      expect(lines[1]).toBe('<system-reminder>');
      expect(lines[2]).toBe(`## File Context: ${path}`);
      for (const line of lines.slice(3, -1)) expect(line).toMatch(/^(?:class|function|interface|#+|\w+ )/);
      expect(lines.at(-1)).toBe('</system-reminder>');
      if (path !== 'a.md') expect(folded).not.toContain('payload');
    }
  });
});
