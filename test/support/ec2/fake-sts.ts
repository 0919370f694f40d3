/** A fake of AWS's token service, as far as assuming one role: with credentials, or with a token of the cluster. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { writeXml } from './xml.ts';

const namespace = 'https://sts.amazonaws.com/doc/2011-06-15/';

export interface FakeRole {
  readonly arn: string;
  /** The key, or the token of a service account, that may assume it. */
  readonly assumedBy: string;
  /** Where its trust policy asks for `aws:SourceArn`. */
  readonly sourceARN?: string;
  /** The key of the role's credentials. */
  readonly accessKeyId: string;
}

export class FakeSTS {
  readonly #role: FakeRole;
  readonly #server: Server;

  private constructor(role: FakeRole) {
    this.#role = role;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(role: FakeRole): Promise<FakeSTS> {
    const fake = new FakeSTS(role);
    await new Promise<void>((resolve) => fake.#server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    const address = this.#server.address();
    assert(address !== null && typeof address === 'object', 'the server is closed');
    return `http://127.0.0.1:${address.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const [status, xml] = this.#assume(form, request);
    response.writeHead(status, { 'content-type': 'text/xml' }).end(xml);
  }

  #assume(form: URLSearchParams, { headers }: IncomingMessage): [status: number, xml: string] {
    const { authorization = '' } = headers;
    const action = form.get('Action');
    const key = /Credential=([^/]+)\//.exec(authorization)?.[1];
    const caller = action === 'AssumeRole' ? key : form.get('WebIdentityToken');
    const isAllowed =
      (action === 'AssumeRole' || action === 'AssumeRoleWithWebIdentity') &&
      form.get('RoleArn') === this.#role.arn &&
      (form.get('RoleSessionName') ?? '') !== '' &&
      isOfSource(headers, this.#role.sourceARN) &&
      caller === this.#role.assumedBy;
    if (!isAllowed) {
      const Error = { Type: 'Sender', Code: 'AccessDenied', Message: 'not authorized' };
      return [403, writeXml('ErrorResponse', { Error, RequestId: '1' }, namespace)];
    }
    const Credentials = {
      AccessKeyId: this.#role.accessKeyId,
      SecretAccessKey: 'secret-of-the-role',
      SessionToken: 'session-of-the-role',
      Expiration: '2099-01-01T00:00:00Z',
    };
    const result = { [`${action}Result`]: { Credentials } };
    return [200, writeXml(`${action}Response`, result, namespace)];
  }
}

/** Only headers that are signed count. */
function isOfSource(headers: IncomingMessage['headers'], sourceARN: string | undefined): boolean {
  if (sourceARN === undefined) return true;
  const signed = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? [];
  return (
    ['x-amz-source-arn', 'x-amz-source-account'].every((name) => signed.includes(name)) &&
    headers['x-amz-source-arn'] === sourceARN &&
    headers['x-amz-source-account'] === sourceARN.split(':')[4]
  );
}
