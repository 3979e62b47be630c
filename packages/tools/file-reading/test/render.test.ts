import { filesXml, fileXml } from '../src/read-report.js';
import { escapeXml } from '../src/size-check.js';

test('a refused file', () => {
  expect(fileXml({ path: 'a<b>&c.ts', error: 'No such file: <x>' })).toBe(
    '<file><path>a&lt;b&gt;&amp;c.ts</path><error>No such file: &lt;x&gt;</error></file>',
  );
});

test('code stays readable and can’t end its section', () => {
  expect(fileXml({ path: 'a', content: 'a < b && c[d[0]]>e' })).toBe(
    '<file><path>a</path><content><![CDATA[a < b && c[d[0]]]]><![CDATA[>e]]></content></file>',
  );
});

test('characters that XML can’t hold are replaced', () => {
  expect(escapeXml('a\u0000b\u001bc\ud800d\ufffee\n\t😀')).toBe('a�b�c�d�e\n\t😀');
});

test('several files, under the notices for all', () => {
  const files = [
    { path: 'a', content: 'text', notice: 'Large' },
    { path: 'b', error: 'gone' },
  ];
  expect(filesXml(files, ['Much & more'])).toBe(`<files>
<notice>Much &amp; more</notice>
<file><path>a</path><notice>Large</notice><content><![CDATA[text]]></content></file>
<file><path>b</path><error>gone</error></file>
</files>`);
  expect(filesXml([])).toBe('<files>\n</files>');
});
