import { createHash, createHmac } from 'node:crypto';
import { bedrock, bedrockStreamed, credentials, startServerFor } from '@ctx/agents-test';
import type { ReceivedRequest } from '@ctx/servers';

const window = 12_000;

test.each(Object.entries({ bedrock, bedrockStreamed }))(
  '%s signs what was changed as it is sent',
  async (_, agentWith) => {
    const server = await startServerFor({ api: 'converse' }, { window });
    const { errors } = await agentWith({ config: { contextWindow: window } })({ baseURL: server.url });
    await server.close();
    expect(errors).toEqual([]);
    expect(server.requests).toHaveLength(48);
    for (const request of server.requests) {
      expect(request.headers['content-length']).toBe(String(request.raw.length));
      expect(request.headers.authorization).toContain(`Signature=${signatureOf(request)}`);
    }
  },
);

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
  const scope = [day, region, service, end].join('/');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha(canonical)];
  const key = [day, region, service, end].reduce<Buffer>(
    (secret, one) => hmac(secret, one),
    Buffer.from(`AWS4${credentials.secretAccessKey}`),
  );
  return hmac(key, text.join('\n')).toString('hex');
}
