/** An API server for the self-checks in virtual time, with reviews, a Lease and its own clock. */
import { ApiError, type Answer, type Call, type KubeClient } from '@tandem/kube/client';
import { CcmError, createLogger, createMetrics, type Metrics } from '@tandem/runtime';
import { virtualClock, type VirtualClock } from '@tandem/runtime/testing';
import { accountsOf } from '../access/index.ts';
import { settingsOf } from '../app/app-world.fixture.ts';
import { type ControllerDeclaration, controllers } from '../controllers/index.ts';
import { runSelfChecks } from './run-self-checks.ts';

export const identity = 'me_1';

export interface Attributes {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

export interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export class SelfCheckWorld {
  readonly clock: VirtualClock = virtualClock({ startMs: Date.parse('2026-03-01T12:00:00.500Z') });
  readonly metrics: Metrics = createMetrics();
  readonly log: LogLine[] = [];
  readonly asked: Attributes[] = [];
  /** The reviews that were sent as the service accounts of controllers, by account. */
  readonly askedByAccount: Map<string, Attributes[]> = new Map();
  /** The reviews that were sent as the two clients of the secure port. */
  readonly askedByReviewers: Attributes[] = [];
  hasReviewers = false;
  readonly stop: AbortController = new AbortController();
  /** Returns the status of a review, or an error. */
  review: (attributes: Attributes, account: string | undefined) => object | Error = () => ({
    allowed: true,
  });
  lease: object | Error = refusedByServer(404);
  latencyMs = 10;
  level: 'info' | 'debug' = 'info';
  /** How far the server's clock is ahead of ours. */
  serverAheadMs = 0;
  hasEnded = false;

  /** Starts the checks and advances the clock by `passMs`. */
  async check(
    args: readonly string[],
    passMs: number,
    declarations: readonly ControllerDeclaration[] = controllers,
  ): Promise<void> {
    this.hasEnded = false;
    const { level } = this;
    const write = (text: string): void => {
      const line = JSON.parse(text);
      // The time of a line does not matter here.
      delete line.ts;
      this.log.push(line);
    };
    const checks = runSelfChecks({
      client: this.#clientOf(this.asked),
      accountClients: new Map(
        accountsOf(declarations).map((account) => [account, this.#clientOfAccount(account)]),
      ),
      reviewers: {
        authentication: this.hasReviewers ? this.#clientOf(this.askedByReviewers) : undefined,
        authorization: this.hasReviewers ? this.#clientOf(this.askedByReviewers) : undefined,
      },
      settings: settingsOf(args, declarations),
      identity,
      clock: this.clock,
      logger: createLogger({ clock: this.clock, level, destination: { write } }),
      metrics: this.metrics,
      signal: this.stop.signal,
    });
    void checks.then(() => (this.hasEnded = true));
    await this.clock.advance(passMs);
  }

  get askedFor(): string[] {
    return this.asked.map(describeAttributes);
  }

  get reviewersAskedFor(): string[] {
    return this.askedByReviewers.map(describeAttributes);
  }

  accountAskedFor(account: string): string[] {
    return (this.askedByAccount.get(account) ?? []).map(describeAttributes);
  }

  lines(msg: string): LogLine[] {
    return this.log.filter((line) => line.msg === msg);
  }

  async metric(name: string): Promise<string[]> {
    const text = await this.metrics.render();
    return text.split('\n').filter((line) => line.startsWith(name));
  }

  #clientOfAccount(account: string): KubeClient {
    const asked: Attributes[] = [];
    this.askedByAccount.set(account, asked);
    return this.#clientOf(asked, account);
  }

  #clientOf(asked: Attributes[], account?: string): KubeClient {
    return {
      call: (call) => this.#call(call, asked, account),
      open: () => Promise.reject(new Error('nothing is watched here')),
    };
  }

  async #call(
    { verb, resource, body }: Call,
    asked: Attributes[],
    account: string | undefined,
  ): Promise<Answer> {
    await this.#travel();
    const answer = verb === 'create' ? this.#answerReview(body, asked, account) : this.lease;
    const date = new Date(this.clock.now() + this.serverAheadMs).toUTCString();
    await this.#travel();
    if (answer instanceof Error) throw answer;
    if (resource.resource !== 'leases' && verb !== 'create') throw new Error('unexpected call');
    return { status: 200, headers: { date }, body: Buffer.from(JSON.stringify(answer)) };
  }

  #answerReview(body: unknown, asked: Attributes[], account: string | undefined): object | Error {
    const { spec } = body as { spec: { resourceAttributes: Attributes } };
    const attributes: Attributes = JSON.parse(JSON.stringify(spec.resourceAttributes));
    asked.push(attributes);
    const status = this.review(attributes, account);
    return status instanceof Error ? status : { status };
  }

  #travel(): Promise<void> {
    return new Promise((resolve) => this.clock.after(this.latencyMs / 2, resolve));
  }
}

/** `get leases.coordination.k8s.io/name in namespace`. */
function describeAttributes(attributes: Attributes): string {
  const { verb, group, resource, subresource, namespace, name } = attributes;
  const place = subresource === undefined ? resource : `${resource}/${subresource}`;
  const full = group === '' ? place : `${place}.${group}`;
  const object = name === undefined ? '' : ` ${name}`;
  return `${verb} ${full}${object}${namespace === undefined ? '' : ` in ${namespace}`}`;
}

export function refusedByServer(code: number): ApiError {
  const status = { code, reason: '', message: 'no', causes: [], retryAfterSeconds: undefined };
  return new ApiError('no', { code: 'ApiRefused', retry: 'never', effect: 'none', status });
}

export function unreachable(): CcmError {
  return new CcmError('gone', { code: 'ConnectionFailed', retry: 'backoff', effect: 'unknown' });
}
