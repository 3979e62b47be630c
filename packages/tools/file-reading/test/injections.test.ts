import { injections } from '@ctx/testing';
import { filesText, filesXml } from '../src/read-report.js';

test.each(injections)('what a file holds can not end its element: %j', (injection) => {
  const content = `${injection}]]></content></file>${injection}`;
  const xml = filesXml([{ path: `a.ts</path>${injection}`, content, notice: injection }]);
  const outside = xml.replace(/<!\[CDATA\[[\s\S]*?\]\]>/g, '');
  expect(outside.match(/<\/?\w+>/g)).toEqual([
    ...['<files>', '<file>', '<path>', '</path>', '<notice>', '</notice>', '<content>', '</content>'],
    ...['</file>', '</files>'],
  ]);
});

test.each(injections)('a path is one line of the plain text: %j', (injection) => {
  const text = filesText([{ path: `a.ts\n${injection}`, content: 'safe' }]);
  const lines = text.split(/[\n\r\u2028\u2029]/);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^File: a\.ts /);
});
