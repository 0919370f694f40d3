/** A fake of AWS's token service, as far as assuming one role: with credentials, or with a token of the cluster. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyOf, LoopbackServer } from '../loopback-server.ts';
import { writeXml } from './xml.ts';

const namespace = 'https://sts.amazonaws.com/doc/2011-06-15/';

interface FakeRole {
  readonly arn: string;
  /** The key, or the token of a service account, that may assume it. */
  readonly assumedBy: string;
  /** Where its trust policy asks for `aws:SourceArn`. */
  readonly sourceARN?: string;
  /** The key of the role's credentials. */
  readonly accessKeyId: string;
}

export class FakeSTS extends LoopbackServer {
  /** When the credentials that it gives expire. */
  expiration = '2099-01-01T00:00:00Z';
  /** Whether it answers nothing. */
  isMute = false;
  /** The number of calls that arrived. */
  calls = 0;
  readonly #role: FakeRole;

  private constructor(role: FakeRole) {
    super();
    this.#role = role;
  }

  static start(role: FakeRole): Promise<FakeSTS> {
    return new FakeSTS(role).listen();
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.calls++;
    if (this.isMute) return;
    const form = new URLSearchParams(await bodyOf(request));
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
      Expiration: this.expiration,
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
