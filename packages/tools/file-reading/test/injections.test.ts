import { injections } from '@ctx/testing';
import { filesXml } from '../src/read-report.js';

test.each(injections)('what a file holds can not end its element: %j', (injection) => {
  const content = `${injection}]]></content></file>${injection}`;
  const xml = filesXml([{ path: `a.ts</path>${injection}`, content, notice: injection }]);
  const outside = xml.replace(/<!\[CDATA\[[\s\S]*?\]\]>/g, '');
  expect(outside.match(/<\/?\w+>/g)).toEqual([
    ...['<files>', '<file>', '<path>', '</path>', '<notice>', '</notice>', '<content>', '</content>'],
    ...['</file>', '</files>'],
  ]);
});
