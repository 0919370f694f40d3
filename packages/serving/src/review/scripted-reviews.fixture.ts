/** An API server that answers reviews as it is told, and remembers what it was asked. */
import { ApiError, type Answer, type Call, type KubeClient } from '@tandem/kube/client';
import { CcmError, type Clock, createLogger, createMetrics, type Logger } from '@tandem/runtime';
import { createServingMetrics, type ServingMetrics } from '../serving-metrics.ts';
import { Reviewer } from './reviewer.ts';

/** The status of a review, the text of something else, a failure, or nothing ever. */
export type Script = (spec: Spec) => object | string | Error | undefined | Promise<object>;

/** What tests look at of a question. */
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
    const said = await scene.script(spec);
    if (said instanceof Error) throw said;
    if (said === undefined) {
      await new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    }
    const text = typeof said === 'string' ? said : JSON.stringify({ status: said });
    return { status: 201, headers: {}, body: Buffer.from(text) };
  };
  const client: KubeClient = { call, open: () => Promise.reject(new Error('no watches here')) };
  const scene: ScriptedReviews = {
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
  return scene;
}

export function unreachable(message = 'gone'): CcmError {
  return new CcmError(message, { code: 'ConnectionFailed', retry: 'backoff', effect: 'unknown' });
}

export function refusedByServer(code: number, message = 'no'): ApiError {
  const status = { code, reason: '', message, causes: [], retryAfterSeconds: undefined };
  const retry = code >= 500 ? 'backoff' : 'never';
  return new ApiError(message, { code: 'ApiForbidden', retry, effect: 'none', status });
}
