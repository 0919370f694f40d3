/** An API server that answers reviews as a test says, and records their specs. */
import { ApiError, type Answer, type Call, type KubeClient } from '@tandem/kube/client';
import { CcmError, type Clock, createLogger, createMetrics, type Logger } from '@tandem/runtime';
import { createServingMetrics, type ServingMetrics } from '../serving-metrics.ts';
import { Reviewer } from './reviewer.ts';

/** Returns the status of a review, another text as the body, an error, or undefined for no answer at all. */
export type Script = (spec: Spec) => object | string | Error | undefined | Promise<object>;

/** The part of a review's spec that tests use. */
export interface Spec {
  readonly token?: string;
  readonly user?: string;
}

export interface ScriptedReviews {
  readonly reviewer: Reviewer;
  readonly specs: unknown[];
  readonly log: string[];
  readonly logger: Logger;
  readonly metrics: ServingMetrics;
  render(): Promise<string>;
  script: Script;
}

export function scriptedReviews(clock: Clock, script: Script): ScriptedReviews {
  const specs: unknown[] = [];
  const log: string[] = [];
  const registry = createMetrics();
  const metrics = createServingMetrics(registry);
  const destination = { write: (line: string) => void log.push(line) };
  const logger = createLogger({ clock, level: 'trace', destination });
  const call = async ({ body, signal }: Call): Promise<Answer> => {
    const { spec } = body as { spec: Spec };
    specs.push(spec);
    const answer = await server.script(spec);
    if (answer instanceof Error) throw answer;
    if (answer === undefined) {
      await new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    }
    const text = typeof answer === 'string' ? answer : JSON.stringify({ status: answer });
    return { status: 201, headers: {}, body: Buffer.from(text) };
  };
  const client: KubeClient = { call, open: () => Promise.reject(new Error('no watches here')) };
  const server: ScriptedReviews = {
    reviewer: new Reviewer({
      client,
      clock,
      logger,
      metrics: metrics.tokenReviews,
      purpose: 'authenticate',
    }),
    specs,
    log,
    logger,
    metrics,
    render: () => registry.render(),
    script,
  };
  return server;
}

export function unreachable(message = 'gone'): CcmError {
  return new CcmError(message, { code: 'ConnectionFailed', retry: 'backoff', effect: 'unknown' });
}

export function refusedByServer(code: number, message = 'no'): ApiError {
  const status = { code, reason: '', message, causes: [], retryAfterSeconds: undefined };
  const retry = code >= 500 ? 'backoff' : 'never';
  return new ApiError(message, { code: 'ApiForbidden', retry, effect: 'none', status });
}
