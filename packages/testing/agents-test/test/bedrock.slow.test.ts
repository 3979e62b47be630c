import { createHash, createHmac } from 'node:crypto';
import {
  bedrock,
  bedrockStreamed,
  credentials,
  type MeasuredRun,
  measuredRun,
  startServerFor,
} from '@ctx/agents-test';
import type { ContextManager } from '@ctx/core';
import type { ModelServerOptions, ReceivedRequest } from '@ctx/servers';

const window = 12_000;
const overflowAt = [5, 22, 41];
const agents = { Converse: bedrock, ConverseStream: bedrockStreamed };
const api = 'converse' as const;
const named = (run: ReturnType<typeof bedrock>) => ({ name: 'bedrock', api, run }) as const;

describe.each(Object.entries(agents))('%s of the AWS SDK', (_, agentWith) => {
  test('does all its work, and the server refuses nothing', async () => {
    const { accepted, finished, problems, lost } = await measuredRun(named(agentWith()), { chunkBytes: 7 });
    expect({ accepted, finished, problems, lost }).toEqual({
      accepted: 48,
      finished: 12,
      problems: [],
      lost: [],
    });
  });

  test('stops at a request that is too long', async () => {
    const { overflowed, errors, finished } = await measuredRun(named(agentWith()), { window });
    expect([overflowed, errors]).toEqual([
      1,
      ['ValidationException: Input is too long for requested model.'],
    ]);
    expect(finished).toBeLessThan(12);
  });

  test.each<[string, ModelServerOptions]>([
    ['status', { overflowBy: 'status' }],
    ['stream', { overflowBy: 'stream', chunkBytes: 7 }],
  ])('with contextBedrock finishes everything, overflows told by %s', async (_told, told) => {
    const warnings: string[] = [];
    const managers: ContextManager[] = [];
    const agent = agentWith({
      config: { contextWindow: window },
      onManager: (manager) => managers.push(manager),
      onWarning: ({ code }) => warnings.push(code),
    });
    const { largest, problems, ...run }: MeasuredRun = await measuredRun(named(agent), {
      window,
      overflowAt,
      ...told,
    });
    expect(run).toEqual({
      agent: 'bedrock',
      finished: 12,
      errors: [],
      accepted: 48,
      invalid: 0,
      overflowed: overflowAt.length,
      otherwiseRefused: 0,
      lost: [],
    });
    expect(largest).toBeGreaterThan(window / 4);
    // A refusal that larger requests contradict teaches nothing.
    expect(warnings).toEqual([]);
    expect(managers.at(-1)?.stats().maxTokens).toBeLessThanOrEqual(window);
  });

  test('what was changed is signed as it is sent', async () => {
    const server = await startServerFor({ api }, { window });
    const { errors } = await agentWith({ config: { contextWindow: window } })({ baseURL: server.url });
    await server.close();
    expect(errors).toEqual([]);
    expect(server.requests).toHaveLength(48);
    for (const request of server.requests) {
      expect(request.headers['content-length']).toBe(String(request.raw.length));
      expect(request.headers.authorization).toContain(`Signature=${signatureOf(request)}`);
    }
  });
});

/** The signature of a request by AWS Signature Version 4, as its receiver reckons it. */
function signatureOf({ method, path, headers, raw }: ReceivedRequest): string {
  const [, credential = '', signed = ''] =
    /Credential=([^,]+), SignedHeaders=([^,]+)/.exec(String(headers.authorization)) ?? [];
  const [, day = '', region = '', service = '', end = ''] = credential.split('/');
  const sha = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const canonical = [
    method,
    // AWS encodes a path once more before it signs it.
    path.split('/').map(encodeURIComponent).join('/'),
    '',
    ...signed.split(';').map((name) => `${name}:${String(headers[name])}`),
    '',
    signed,
    sha(raw),
  ].join('\n');
  const text = [
    'AWS4-HMAC-SHA256',
    headers['x-amz-date'],
    [day, region, service, end].join('/'),
    sha(canonical),
  ];
  const key = [day, region, service, end].reduce<Buffer>(
    (secret, one) => hmac(secret, one),
    Buffer.from(`AWS4${credentials.secretAccessKey}`),
  );
  return hmac(key, text.join('\n')).toString('hex');
}
