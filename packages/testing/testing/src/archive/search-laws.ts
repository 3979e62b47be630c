import { entry, foundBy, type Holding, ofOne } from './entries.js';

/** The laws of searching in an archive. */
export function testArchiveSearch(holding: Holding): void {
  test('finds names whole and by their pieces, whatever their case', async () => {
    const [code, path] = ['function parseUserInput(raw) {}', 'see src/server/http_client.ts for retries'];
    const archive = await holding([entry(1, code), entry(2, path), entry(3, 'nothing to see here')]);
    for (const query of ['parseUserInput', 'PARSEUSERINPUT', 'user input', 'parsing inputs'])
      expect([query, ...(await foundBy(archive, query))]).toEqual([query, `#m1:1 ${code}`]);
    for (const query of ['http_client.ts', '/repo/src/server/http_client.ts', 'client', 'retry'])
      expect([query, ...(await foundBy(archive, query))]).toEqual([query, `#m2:1 ${path}`]);
  });

  test('finds words of scripts without spaces', async () => {
    const archive = await holding([
      entry(1, '明天下午三点在会议室讨论预算'),
      entry(2, '昨日の会議で新しい計画を承認しました'),
      entry(3, 'ฉันต้องการสั่งกาแฟร้อน'),
      entry(4, 'ничего подобного'),
    ]);
    expect(await foundBy(archive, '预算')).toEqual(['#m1:1 明天下午三点在会议室讨论预算']);
    expect(await foundBy(archive, '計画')).toEqual(['#m2:1 昨日の会議で新しい計画を承認しました']);
    expect(await foundBy(archive, 'กาแฟ')).toEqual(['#m3:1 ฉันต้องการสั่งกาแฟร้อน']);
    expect(await foundBy(archive, 'Подобного')).toEqual(['#m4:1 ничего подобного']);
  });

  test('puts first what has the rarer words of a query', async () => {
    const archive = await holding(
      Array.from({ length: 50 }, (_, index) => entry(index + 1, `the server of customer c${index} restarts`)),
    );
    await archive.put([entry(60, 'the server of the turbine restarts')]);
    const [first] = await foundBy(archive, 'the turbine server');
    expect(first).toBe('#m60:1 the server of the turbine restarts');
  });

  test('leaves out calls of recall and what they brought, and reads them by their handle', async () => {
    const call = { ...entry(2, 'query: walrus ice'), kind: 'call' as const };
    const result = { ...entry(3, 'From earlier: the walrus sleeps on the ice'), kind: 'result' as const };
    const archive = await holding([
      entry(1, 'the walrus sleeps on the ice'),
      ...['recall', 'mcp__ctx__recall', 'ctx_recall', 'Bash ctx recall'].flatMap((name, at) => [
        { ...call, heading: `${name} walrus ice`, message: 10 + at },
        { ...result, heading: `${name} walrus ice`, message: 20 + at },
      ]),
      { ...result, heading: 'product_recall walrus', message: 30 },
      { ...entry(31, 'recall the walrus'), heading: 'recall' },
    ]);
    const found = await archive.search('walrus ice', ofOne);
    expect(found.map(({ message }) => message).sort((a, b) => a - b)).toEqual([1, 30, 31]);
    expect(await archive.get('#m10', ofOne)).toHaveLength(1);
    const within = await archive.search('walrus', { ...ofOne, within: '#m20' });
    expect(within.map(({ message }) => message)).toEqual([20]);
  });

  test('leaves out what is shown already, and has its room for others', async () => {
    const archive = await holding([
      entry(1, 'the walrus sleeps on the ice'),
      entry(2, 'a walrus swims in the sea'),
    ]);
    const shown = [{ role: 'user' as const, content: 'So:\n  the walrus sleeps on the ice' }];
    const limits = { ...ofOne, maxTokens: 20 };
    const found = await archive.search('walrus ice', { ...limits, shown });
    expect(found.map(({ message }) => message)).toEqual([2]);
    const within = await archive.search('walrus', { ...limits, within: '#m1', shown });
    expect(within.map(({ message }) => message)).toEqual([1]);
  });

  test('returns passages, word for word and with the lines they stand on, in no more tokens than asked', async () => {
    const lineOf = (index: number, line: number) =>
      `  paragraph ${index} line ${line} about ${index === 70 ? 'walrus' : 'seals'} and ${'filler '.repeat(8)}`;
    const lines = Array.from({ length: 100 }, (_, index) => [
      ...[0, 1, 2, 3].map((line) => lineOf(index, line)),
      '',
    ]).flat();
    const archive = await holding([entry(5, lines.join('\n'))]);
    const [found] = await archive.search('walrus', { ...ofOne, maxTokens: 500 });
    expect(found?.text).toContain('paragraph 70 line 2 about walrus');
    const [, first = '', last = first] = /^#m5:(\d+)(?:-(\d+))?$/.exec(found?.ref ?? '') ?? [];
    expect(lines.slice(Number(first) - 1, Number(last)).join('\n')).toBe(found?.text.replace(/\n$/, ''));
    for (const maxTokens of [1, 50, 200, 1_000]) {
      const all = await archive.search('walrus seals line filler', { ...ofOne, maxTokens });
      expect(all.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(maxTokens);
    }
    const all = await archive.search('seals', { ...ofOne, maxTokens: 1_000 });
    expect(new Set(all.map(({ ref }) => ref)).size).toBe(all.length);
  });

  test('searches in what was asked for: kinds, files, times, a message', async () => {
    const archive = await holding([
      entry(1, 'retries of alpha', { kind: 'user', heading: 'user' }),
      entry(2, 'retries of beta', { kind: 'result', heading: 'read_file', path: '/repo/src/net/http.ts' }),
      entry(3, 'retries of gamma', { kind: 'result', path: 'C:\\repo\\src\\http.test.ts' }),
      entry(4, 'retries of delta\nretries of epsilon', { kind: 'assistant' }),
    ]);
    const found = async (options: Record<string, unknown>) =>
      (await archive.search('retries', { ...ofOne, ...options })).map(({ message }) => message).sort();
    expect(await found({})).toEqual([1, 2, 3, 4]);
    expect(await found({ kind: 'user' })).toEqual([1]);
    expect(await found({ kind: ['user', 'assistant'] })).toEqual([1, 4]);
    expect(await found({ path: 'net/http.ts' })).toEqual([2]);
    expect(await found({ path: 'repo/src' })).toEqual([2, 3]);
    expect(await found({ path: 'http' })).toEqual([]);
    expect(await found({ since: 3_000 })).toEqual([3, 4]);
    expect(await found({ within: '#m3' })).toEqual([3]);
    const [line] = await archive.search('retries', { ...ofOne, within: '#m4:2' });
    expect(line).toMatchObject({ ref: '#m4:2', text: 'retries of epsilon' });
  });
}
