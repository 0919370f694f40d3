/**
 * Answers a request, always in this order: identify the client, check its rights, and only then look for the page. So no
 * client without rights learns which pages exist. A path that is open to all clients is answered within a second, even while
 * the API server does not answer or cannot review a token.
 */
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { type Clock, type Logger, withDeadline } from '@tandem/runtime';
import type { Authenticator } from '../authentication/authenticator.ts';
import { peerChainOf } from '../authentication/client-certificate.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { Site } from '../page/site.ts';
import { ambiguous, failed, forbidden, type Reply, unauthorized, undecided } from './reply.ts';
import { readTarget, type Target } from './target.ts';

interface AnswerParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly site: Site;
}

/** The limit of a token's review. A review ends earlier by itself, and an open path does not wait for it. */
const reviewMsMax = 15_000;
const openReviewMsMax = 1_000;

/** The limit of building a page, including the longest CPU profile. */
const pageMsMax = 90_000;

/** Never rejects. `socket` is the socket of the request, which has the client's certificate. */
export async function answerRequest(
  parts: AnswerParts,
  { request, socket, signal }: { request: IncomingMessage; socket: TLSSocket; signal: AbortSignal },
): Promise<Reply> {
  if (isAmbiguous(request)) return ambiguous;
  const target = readTarget(request.url ?? '');
  try {
    const refusal = await refusalOf(parts, { request, socket, target });
    if (refusal !== undefined) return refusal;
    const readText = (bytesMax: number): Promise<string | undefined> =>
      readShortBody(request, bytesMax);
    const { method = '', headers } = request;
    const visit = { method, target, headers, readText, signal };
    const { clock, site } = parts;
    return await withDeadline({ clock, limitMs: pageMsMax, signal }, (within) =>
      site.reply({ ...visit, signal: within }),
    );
  } catch (err) {
    if (!signal.aborted) parts.logger.error({ err }, 'Could not answer a request');
    return failed;
  }
}

/** Returns whether the request has no version, which Node's parser accepts, or two hosts. */
function isAmbiguous({ httpVersionMajor, rawHeaders }: IncomingMessage): boolean {
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  const hosts = names.filter((name) => name.toLowerCase() === 'host');
  return httpVersionMajor < 1 || hosts.length > 1;
}

/** Returns which missing flag leads to the refusal. The API server gives its reason in the same place. */
function reasonOf(
  hasUncheckedToken: boolean,
  decision: 'forbidden' | 'unchecked',
): string | undefined {
  const authorization = decision === 'unchecked' ? ['--authorization-kubeconfig'] : [];
  if (hasUncheckedToken) {
    const flags = ['--authentication-kubeconfig', ...authorization].join(' and ');
    return `this manager does not check tokens, because it was started without ${flags}`;
  }
  if (authorization.length === 0) return undefined;
  return `this manager allows no other access, because it was started without ${authorization.join()}`;
}

async function refusalOf(
  { authenticator, authorizer }: AnswerParts,
  asked: { request: IncomingMessage; socket: TLSSocket; target: Target },
): Promise<Reply | undefined> {
  const { request, socket, target } = asked;
  const isOpen = authorizer.isOpen(target.path);
  const who = await authenticator.authenticate({
    rawHeaders: request.rawHeaders,
    peer: peerChainOf(socket),
    limitMs: isOpen ? openReviewMsMax : reviewMsMax,
  });
  if (who.kind === 'refused') return unauthorized;
  if (isOpen) return undefined;
  if (who.kind === 'unknown') return undecided;
  const verb = (request.method ?? '').toLowerCase();
  const access = { identity: who.identity, verb, path: target.reviewedPath };
  const decision = await authorizer.decide(access);
  if (decision === 'allowed') return undefined;
  if (decision === 'unknown') return undecided;
  return forbidden(access, reasonOf(who.unchecked === 'token', decision));
}

/**
 * Reads a body of at most a few bytes; undefined if it is longer or breaks off. A longer body is not kept: the answer
 * drops the rest and closes the connection.
 */
function readShortBody(request: IncomingMessage, bytesMax: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    const end = (text: string | undefined): void => {
      request.off('data', take);
      resolve(text);
    };
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > bytesMax) end(undefined);
      else chunks.push(chunk);
    };
    request.on('data', take);
    request.once('end', () => end(Buffer.concat(chunks).toString('utf8')));
    request.once('close', () => end(undefined));
  });
}
